import { offsetOf } from '../grid.ts'
import { isKnown, knownOn } from '../known-cells.ts'
import { isDisguised } from '../monsters/is-visible.ts'
import type { Level, Player } from '../world.ts'
import { hasRoom, isFor } from './pick-up.ts'

type Goal = (cell: number) => boolean

/** Cells with items that a player knows of and can carry, disguised monsters included. Treasuries are left out. */
export function isWanted(level: Level, player: Player): Goal {
  const known = knownOn(player, level.depth)
  const wanted = new Set<number>()
  for (const [cell, pile] of level.piles)
    if (pile.vault === 0 && isFor(pile, player) && isKnown(known, cell) && hasRoom(player, pile)) wanted.add(cell)
  for (const monster of level.monsters) if (isDisguised(monster, known)) wanted.add(monster.cell)
  return (cell) => wanted.has(cell)
}

/** Cells with wanted items, and cells at the edge of what a player knows, except in treasuries. */
export function isWorthALook(level: Level, player: Player): Goal {
  const known = knownOn(player, level.depth)
  const wanted = isWanted(level, player)
  const isEdge = (cell: number) => {
    for (let direction = 0; direction < 8; direction++) if (!isKnown(known, cell + offsetOf(direction))) return true
    return false
  }
  return (cell) => (isEdge(cell) && !level.treasuries.has(cell)) || wanted(cell)
}
