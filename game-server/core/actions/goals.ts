import { offsets } from '../grid.ts'
import { isKnown, knownOn } from '../known-cells.ts'
import { isDisguised } from '../monsters/is-visible.ts'
import type { Level, Player } from '../world.ts'
import { hasRoom, isFor } from './pick-up.ts'

type Goal = (cell: number) => boolean

/** Things a player knows of and can carry, disguises included. Treasuries are left to be chosen from by hand. */
export function isWanted(level: Level, player: Player): Goal {
  const known = knownOn(player, level.depth)
  const baits = level.monsters.filter((monster) => isDisguised(monster, known)).map(({ cell }) => cell)
  return (cell) => {
    const pile = level.piles.get(cell)
    return (
      (pile !== undefined && pile.vault === 0 && isFor(pile, player) && hasRoom(player, pile)) || baits.includes(cell)
    )
  }
}

/** Things, and the edges of what a player knows, except in treasuries. */
export function isWorthALook(level: Level, player: Player): Goal {
  const known = knownOn(player, level.depth)
  const wanted = isWanted(level, player)
  const isEdge = (cell: number) => offsets.some((offset) => !isKnown(known, cell + offset))
  return (cell) => (isEdge(cell) && !level.treasuries.has(cell)) || wanted(cell)
}
