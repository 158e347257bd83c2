import { distance } from '../grid.ts'
import { itemKind, kindNumber } from '../items/kinds.ts'
import { isKnown } from '../known-cells.ts'
import type { Sight } from '../sight.ts'
import { turnsOf } from '../status.ts'
import type { Carried, Level, Monster, Player } from '../world.ts'
import { monsterKind } from './kinds.ts'

/** Whether a player sees a monster for what it is. Minds are heard through walls, but a thing in hiding keeps quiet. */
export function isVisible(monster: Monster, player: Player, sight: Sight): boolean {
  if (monster.isHidden) return monsterKind(monster.kind).hides === 'always' && distance(monster.cell, player.cell) <= 1
  return sight.lit[monster.cell] === 1 || turnsOf(player, 'telepathic') > 0
}

/** Whether it lies in wait as something worth picking up, where a player has been looking. */
export const isDisguised = (monster: Monster, known: Uint32Array): boolean =>
  monster.isHidden && monsterKind(monster.kind).hides === 'as-loot' && isKnown(known, monster.cell)

const baits: readonly number[] = ['strength', 'haste', 'mapping', 'force'].map(kindNumber)

/** What it poses as; a wand with charges in it, as no other lies about. */
export function baitOf({ id }: Monster): Carried {
  const kind = baits[id % baits.length] ?? 0
  return { kind, count: 1, power: itemKind(kind).group === 'wand' ? 4 : 0 }
}

/** Whether it may come after somebody. Stone does not: it stays with what it guards. */
export const isThreat = (monster: Monster): boolean =>
  monster.mood !== 'asleep' && monsterKind(monster.kind).isStone !== true

export const monsterAt = (level: Level, cell: number): Monster | undefined => {
  const id = level.occupants[cell] ?? 0
  return id > 0 ? level.monsters.find((monster) => monster.id === id) : undefined
}
