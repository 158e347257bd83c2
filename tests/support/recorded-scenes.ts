import { createHash } from 'node:crypto'
import { z } from 'zod'
import { altarKinds } from '../../game-server/core/altar-kinds.ts'
import { hashWorld } from '../../game-server/core/hash-world.ts'
import { type ItemGroup, itemKinds, kindNumber } from '../../game-server/core/items/kinds.ts'
import type { TrapKind } from '../../game-server/core/levels/level-plan.ts'
import { livesUnder, monsterKinds } from '../../game-server/core/monsters/kinds.ts'
import { step } from '../../game-server/core/step.ts'
import { T } from '../../game-server/core/tiles.ts'
import { makeArena } from './arena.ts'

/** The recorded result of each scene: one hash of the worlds after each of its keys. */
export const recordedScenesSchema = z.record(z.string(), z.string())

type Arena = ReturnType<typeof makeArena>

/** A mixture of keys: attacks, shots, waiting, use of the pack, and steps away. */
const keys = '. . f east east . 1 east east west . f . east 1 . . . south . . west f . . 1 . . . . . . . . . .'.split(
  ' ',
)
const powers: Partial<Record<ItemGroup, readonly number[]>> = { weapon: [-1, 3], armour: [-1, 3], wand: [0, 2] }
const traps: readonly TrapKind[] = ['dart', 'gas', 'net', 'fire', 'alarm', 'teleport', 'trapdoor']

/**
 * Plays scenes in an always identical hall by the rules of a version: each item used, with good and bad values; each
 * altar used; each trap sprung; each monster fought, alone and with another one. Recorded lives cover few of these.
 */
export function playScenes(byRules: number): z.output<typeof recordedScenesSchema> {
  const hashes: Record<string, string> = {}
  const play = (about: string, set: (arena: Arena) => void, first: readonly string[] = []) => {
    const arena = makeArena({ seed: about, byRules })
    Object.assign(arena.player, { hp: 500, maxHp: 900, gold: 100 })
    set(arena)
    const all = createHash('sha256')
    for (const key of [...first, ...keys]) {
      step(arena.world, { is: 'key', player: 1, key }, [])
      all.update(hashWorld(arena.world))
    }
    hashes[about] = all.digest('hex').slice(0, 16)
  }
  for (const { id, group } of itemKinds) {
    if (group === 'gold' || group === 'amulet') continue
    for (const power of powers[group] ?? [0])
      play(
        `${id} ${power}`,
        (arena) => {
          arena.put('ogre', 3, 0)
          arena.put('goblin', 0, 2, 'asleep')
          arena.put('jelly', 1, 1)
          arena.drop('haste', 9, 5)
          arena.give('force', { power: 1 })
          arena.give(id, { count: 2, power })
        },
        ['1'],
      )
  }
  for (const kind of monsterKinds.filter((each) => livesUnder(byRules, each)))
    for (const beside of ['nobody', 'ogre'])
      play(`${kind.id} and ${beside}`, (arena) => {
        if (kind.gait === 'swims') arena.lay(T.deepWater, 2, -2, 9, 2)
        arena.put(kind.id, 4, 0)
        if (beside !== 'nobody') arena.put(beside, 3, 3)
        Object.assign(arena.player, {
          weapon: { kind: kindNumber('sword'), count: 1, power: 1 },
          armour: { kind: kindNumber(beside === 'ogre' ? 'thorns' : 'rings'), count: 1, power: 2 },
        })
        arena.give('healing', { count: 9 })
      })
  altarKinds.forEach(({ id }, kind) => {
    for (let time = 1; time <= (id === 'chance' ? 12 : 1); time++)
      play(`altar of ${id} ${time}`, ({ level, player }) => level.altars.set(player.cell, { kind, taken: 0 }), ['c'])
  })
  for (const trap of traps)
    play(
      `${trap} trap`,
      (arena) => {
        arena.put('goblin', 15, 0, 'asleep')
        arena.lay(T.hiddenTrap, 1, 0)
        arena.level.traps.set(arena.at(1, 0), trap)
      },
      ['east'],
    )
  return hashes
}
