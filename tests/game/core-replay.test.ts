import { describe, expect, it } from 'vitest'
import { hashWorld } from '../../game-server/core/hash-world.ts'
import { replay } from '../../game-server/core/replay.ts'
import { loadWorld, saveWorld } from '../../game-server/core/save-world.ts'
import { type Command, step } from '../../game-server/core/step.ts'
import { isAlive, rules } from '../../game-server/core/world.ts'
import { figure, limitMs } from '../support/figures.ts'
import { playParty } from '../support/play-party.ts'

describe('a world', () => {
  it(
    'is determined by its seed and its commands: a replayed life comes to the same hash',
    () => {
      for (let life = 0; life < figure(100, 1000); life++) {
        const { world, log } = playParty({ seed: `again ${life}`, players: 1, commands: figure(35, 150) })
        expect(replay(`again ${life}`, log, rules).hash).toBe(hashWorld(world))
      }
    },
    limitMs(600_000, 600_000),
  )

  it('shows where a log was changed: earlier checkpoints agree and later ones do not', () => {
    const { log } = playParty({ seed: 'forged', players: 8, commands: 450 })
    const honest = replay('forged', log, rules)
    const at = log.findIndex((command, index) => index > 250 && command.is === 'key' && command.key === 'o')
    const forged = log.map(
      (command, index): Command => (index === at && command.is === 'key' ? { ...command, key: '.' } : command),
    )
    const { checkpoints, hash } = replay('forged', forged, rules)
    expect(hash).not.toBe(honest.hash)
    expect(checkpoints.slice(0, 2)).toEqual(honest.checkpoints.slice(0, 2))
    expect(checkpoints[3]).not.toBe(honest.checkpoints[3])
  })

  it('refuses a log that was played under other rules', () => {
    expect(() => replay('a', [], rules + 1)).toThrow(RangeError)
  })

  it(
    'comes back from a save with the same hash and the same future',
    () => {
      for (let seed = 0; seed < figure(8, 200); seed++) {
        const { world } = playParty({ seed: `saved ${seed}`, players: 4, commands: 200, depth: 1 + 3 * (seed % 4) })
        const loaded = loadWorld(saveWorld(world))
        expect(hashWorld(loaded)).toBe(hashWorld(world))
        for (let turn = 0; turn < 15; turn++) {
          for (const { id: player } of [...world.players.values()].filter(isAlive)) {
            const command: Command = { is: 'key', player, key: ['o', '>', 'north', 'f', '1'][turn % 5] ?? '.' }
            step(world, command, [])
            step(loaded, command, [])
          }
        }
        expect(hashWorld(loaded)).toBe(hashWorld(world))
      }
    },
    limitMs(600_000, 900_000),
  )
})
