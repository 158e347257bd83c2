import { cellCount, offsetOf, offsets } from './grid.ts'
import { knownOn } from './known-cells.ts'
import { monsterAt } from './monsters/is-visible.ts'
import { sightOf } from './sight.ts'
import { turnsOf } from './status.ts'
import { isPassable, T, tiles } from './tiles.ts'
import type { Level, Player } from './world.ts'

/** Cells from the one after the start to the goal; `isBarred` if a visible monster blocked some way. */
export interface Path {
  cells: number[]
  isBarred: boolean
}

const ways = Int16Array.from(offsets)
const queue = new Int16Array(cellCount)
/** The direction from which each cell was reached, plus one; 0 for cells not reached, 9 for the start. */
const cameBy = new Uint8Array(cellCount)
let isBarred = false

const table = (isHarmless: (tile: number) => boolean): Uint8Array =>
  Uint8Array.from(tiles, (_, tile) => (isPassable(tile) && isHarmless(tile) ? 1 : 0))

/** Tiles that paths may use, on foot and while floating. */
const onFoot = table((tile) => tile !== T.deepWater && tile !== T.chasm && tile !== T.knownTrap)
const afloat = table((tile) => tile !== T.chasm)

/** A breadth-first search over known, harmless ground; returns the nearest goal, or -1. */
function spread(level: Level, player: Player, isGoal: (cell: number) => boolean): number {
  const { tiles: ground, occupants } = level
  const known = knownOn(player, level.depth)
  const harmless = turnsOf(player, 'floating') > 8 ? afloat : onFoot
  const { lit } = sightOf(level, player)
  isBarred = false
  cameBy.fill(0)
  cameBy[player.cell] = 9
  queue[0] = player.cell
  let tail = 1
  for (let head = 0; head < tail; head++) {
    const here = queue[head] ?? 0
    if (head > 0 && isGoal(here)) return here
    for (let direction = 0; direction < 8; direction++) {
      const cell = here + (ways[direction] ?? 0)
      if (cameBy[cell] !== 0 || harmless[ground[cell] ?? 0] === 0) continue
      if (((known[cell >> 5] ?? 0) & (1 << (cell & 31))) === 0) continue
      if (lit[cell] === 1 && (occupants[cell] ?? 0) > 0 && monsterAt(level, cell)?.isHidden === false) {
        isBarred = true
        continue
      }
      cameBy[cell] = direction + 1
      queue[tail++] = cell
    }
  }
  return -1
}

/**
 * The shortest path over known and harmless ground to the nearest goal. It uses only what the player knows, so it does
 * not avoid unseen traps or monsters.
 */
export function findPath(level: Level, player: Player, isGoal: (cell: number) => boolean): Path {
  const goal = spread(level, player, isGoal)
  const cells: number[] = []
  for (let cell = goal; cell >= 0 && cell !== player.cell; cell -= offsetOf((cameBy[cell] ?? 1) - 1)) cells.push(cell)
  return { cells: cells.reverse(), isBarred }
}

const nowhere = () => false

/** Every cell to which `findPath` could lead. */
export function findReach(level: Level, player: Player): readonly number[] {
  spread(level, player, nowhere)
  const reach: number[] = []
  for (let cell = 0; cell < cellCount; cell++) if (cameBy[cell] !== 0 && cell !== player.cell) reach.push(cell)
  return reach
}
