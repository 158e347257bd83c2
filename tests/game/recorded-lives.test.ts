import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { hashWorld } from '../../game-server/core/hash-world.ts'
import { livesUnder, monsterKinds } from '../../game-server/core/monsters/kinds.ts'
import { replay } from '../../game-server/core/replay.ts'
import { loadWorld, saveWorld } from '../../game-server/core/save-world.ts'
import { step } from '../../game-server/core/step.ts'
import { knownRules, rules } from '../../game-server/core/world.ts'
import { readScript, recordedSchema } from '../support/recorded-lives.ts'
import { playScenes, recordedScenesSchema } from '../support/recorded-scenes.ts'

const record = '`node tests/game/recorded/record-lives.ts`'

function read<Recorded>(name: string, schema: z.ZodType<Recorded>): Recorded {
  const file = new URL(`recorded/${name}.json`, import.meta.url)
  if (!existsSync(file)) throw new Error(`There is no ${name}.json: ${record} writes it.`)
  return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
}

const readLives = (version: number) => read(`rules-${version}`, recordedSchema).lives

/** What to do when a world differs from the recorded one. */
const advice = (version: number): string =>
  version === rules
    ? `A command leads to another world under the same rules ${version}: runs of the open cup could not be verified. Raise \`rules\` in game-server/core/world.ts to ${version + 1}, keep the old way for older numbers (a new monster says \`since: ${version + 1}\`), and record lives with ${record}.`
    : `Worlds of rules ${version} come out as others: their cups, replays and saved realms depend on them. Let the change hold for newer rules only.`

it('no monster needs a later version of the rules than the newest one', () => {
  expect(monsterKinds.filter((kind) => !livesUnder(rules, kind))).toEqual([])
})

describe.each(knownRules)('a life that was recorded under rules %i', (version) => {
  it.each(readLives(version))('replays to the recorded checkpoints: $about', ({ seed, script, hash, checkpoints }) => {
    const again = replay(seed, readScript(script), version)
    expect({ hash: again.hash, checkpoints: again.checkpoints }, advice(version)).toEqual({ hash, checkpoints })
  })

  it('continues under them after it was saved and loaded half-way', () => {
    for (const { seed, script, hash } of readLives(version)) {
      const commands = readScript(script)
      const half = Math.trunc(commands.length / 2)
      const world = loadWorld(saveWorld(replay(seed, commands.slice(0, half), version).world))
      for (const command of commands.slice(half)) step(world, command, [])
      expect(hashWorld(world), advice(version)).toBe(hash)
    }
  })
})

it.each(knownRules)('scenes under rules %i lead to the recorded worlds', (version) => {
  expect(playScenes(version), advice(version)).toEqual(read(`scenes-${version}`, recordedScenesSchema))
})
