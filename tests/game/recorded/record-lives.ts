// `node tests/game/recorded/record-lives.ts` records lives and scenes under the newest rules, once per version.
import { writeFileSync } from 'node:fs'
import type { z } from 'zod'
import { type BotName, makeBot } from '../../../bench/game/bots/make-bot.ts'
import { observe } from '../../../game-server/core/observe.ts'
import { replay } from '../../../game-server/core/replay.ts'
import { type Command, step } from '../../../game-server/core/step.ts'
import { isAlive, makeWorld, rules } from '../../../game-server/core/world.ts'
import { playParty } from '../../support/play-party.ts'
import { type recordedSchema, toScript } from '../../support/recorded-lives.ts'
import { playScenes } from '../../support/recorded-scenes.ts'

const mostKeys = 1500

function playAlone(bot: BotName, seed: string, dice?: string): Command[] {
  const world = makeWorld(seed)
  const play = makeBot(bot, seed)
  const commands: Command[] = [{ is: 'join', name: 'Ada', kind: 'agent', ...(dice !== undefined && { dice }) }]
  for (const command of commands) {
    step(world, command, [])
    const player = world.players.get(1)
    if (!player || !isAlive(player) || commands.length > mostKeys) break
    commands.push({ is: 'key', player: 1, key: play(observe(world, 1, [])) })
  }
  return commands
}

const cupSeed = '6c1f0be2a94d5873'.repeat(4)
const lives: [about: string, seed: string, commands: Command[]][] = [
  ['somebody with time', 'recorded 1', playAlone('careful', 'recorded 1')],
  ['somebody with time, in another dungeon', 'recorded 2', playAlone('careful', 'recorded 2')],
  ['somebody in a hurry', 'recorded 3', playAlone('greedy', 'recorded 3')],
  ['a run of a cup, with dice of its own', cupSeed, playAlone('careful', cupSeed, '0d'.repeat(32))],
  ['a careless party', 'recorded 4', playParty({ seed: 'recorded 4', players: 6, commands: 900 }).log],
]

const recorded: z.input<typeof recordedSchema> = {
  rules,
  lives: lives.map(([about, seed, commands]) => {
    const { hash, checkpoints } = replay(seed, commands, rules)
    return { about, seed, script: toScript(commands), hash, checkpoints }
  }),
}
// Recordings of a version that was ever released are the reference for this code and are never written again.
for (const [name, what] of Object.entries({ rules: recorded, scenes: playScenes(rules) }))
  writeFileSync(new URL(`${name}-${rules}.json`, import.meta.url), `${JSON.stringify(what, null, 2)}\n`, { flag: 'wx' })
