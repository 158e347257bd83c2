import { distance } from '../grid.ts'
import { itemKind, kindNumber } from '../items/kinds.ts'
import { isKnown } from '../known-cells.ts'
import type { Sight } from '../sight.ts'
import { turnsOf } from '../status.ts'
import type { Carried, Level, Monster, Player } from '../world.ts'
import { monsterKind } from './kinds.ts'

/** Whether a player sees a monster as such. Telepathy shows monsters through walls, but not hidden ones. */
export function isVisible(monster: Monster, player: Player, sight: Sight): boolean {
  if (monster.isHidden) return monsterKind(monster.kind).hides === 'always' && distance(monster.cell, player.cell) <= 1
  return sight.lit[monster.cell] === 1 || turnsOf(player, 'telepathic') > 0
}

/** Whether a monster is disguised as an item, on a cell that the player knows. */
export const isDisguised = (monster: Monster, known: Uint32Array): boolean =>
  monster.isHidden && monsterKind(monster.kind).hides === 'as-loot' && isKnown(known, monster.cell)

const baits: readonly number[] = ['strength', 'haste', 'mapping', 'force'].map(kindNumber)

/** The item as which a monster is disguised. A wand has 4 charges, because wands on the ground are never empty. */
export function baitOf({ id }: Monster): Carried {
  const kind = baits[id % baits.length] ?? 0
  return { kind, count: 1, power: itemKind(kind).group === 'wand' ? 4 : 0 }
}

/** Whether a monster may attack. Guardians of stone do not count, because they stay in their treasury. */
export const isThreat = (monster: Monster): boolean =>
  monster.mood !== 'asleep' && monsterKind(monster.kind).isStone !== true

export const monsterAt = (level: Level, cell: number): Monster | undefined => {
  const id = level.occupants[cell] ?? 0
  return id > 0 ? level.monsters.find((monster) => monster.id === id) : undefined
}
