import { cellCount, offsetOf } from './grid.ts'
import { isKnown, knownOn } from './known-cells.ts'
import { monsterAt } from './monsters/is-visible.ts'
import { sightOf } from './sight.ts'
import { turnsOf } from './status.ts'
import { isPassable, T } from './tiles.ts'
import type { Level, Player } from './world.ts'

/** Cells from the one after the start to the goal; `isBarred` tells that somebody in sight stood in a way. */
export interface Path {
  cells: number[]
  isBarred: boolean
}

const queue = new Int16Array(cellCount)
/** The way by which each cell was reached, plus one; 0 where the search has not been. */
const cameBy = new Uint8Array(cellCount)

/** Ground that nobody walks on without meaning to. */
const isHarmless = (tile: number | undefined, isFloating: boolean): boolean =>
  isPassable(tile) && (isFloating ? tile !== T.chasm : tile !== T.deepWater && tile !== T.chasm && tile !== T.knownTrap)

/**
 * The shortest walk over known and harmless ground to the nearest cell that is a goal. What a player does not know,
 * a trap or an ambush, does not bend the way.
 */
export function findPath(level: Level, player: Player, isGoal: (cell: number) => boolean): Path {
  const known = knownOn(player, level.depth)
  const isFloating = turnsOf(player, 'floating') > 8
  const { lit } = sightOf(level, player)
  let isBarred = false
  cameBy.fill(0)
  cameBy[player.cell] = 9
  queue[0] = player.cell
  let tail = 1
  for (let head = 0; head < tail; head++) {
    const here = queue[head] ?? 0
    if (here !== player.cell && isGoal(here)) return { cells: walkBack(player.cell, here), isBarred }
    for (let direction = 0; direction < 8; direction++) {
      const cell = here + offsetOf(direction)
      if (cameBy[cell] !== 0 || !isHarmless(level.tiles[cell], isFloating) || !isKnown(known, cell)) continue
      if (lit[cell] === 1 && (level.occupants[cell] ?? 0) > 0 && monsterAt(level, cell)?.isHidden === false) {
        isBarred = true
        continue
      }
      cameBy[cell] = direction + 1
      queue[tail++] = cell
    }
  }
  return { cells: [], isBarred }
}

function walkBack(start: number, goal: number): number[] {
  const cells: number[] = []
  for (let cell = goal; cell !== start; cell -= offsetOf((cameBy[cell] ?? 1) - 1)) cells.push(cell)
  return cells.reverse()
}
