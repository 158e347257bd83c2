import { cellCount, offsets } from './grid.ts'
import { isPassable, T } from './tiles.ts'

const queue = new Int16Array(cellCount)

/** Which passable tiles a walk may use: all but deep water and chasms, all, or only deep water. */
export type Footing = 'dry' | 'any' | 'deep'

const canCross = (tile: number | undefined, footing: Footing): boolean => {
  if (!isPassable(tile)) return false
  if (footing === 'deep') return tile === T.deepWater
  return footing === 'any' || (tile !== T.deepWater && tile !== T.chasm)
}

/** Fills `out` with the steps from a cell to every cell up to `farthest` steps away; -1 for cells not reached. */
export function walkDistances(
  tiles: Uint8Array,
  from: number,
  footing: Footing,
  farthest: number,
  out: Int16Array,
): void {
  out.fill(-1)
  out[from] = 0
  queue[0] = from
  let tail = 1
  for (let head = 0; head < tail; head++) {
    const here = queue[head] ?? 0
    const next = (out[here] ?? 0) + 1
    if (next > farthest) return
    for (const offset of offsets) {
      const cell = here + offset
      if (out[cell] !== -1 || !canCross(tiles[cell], footing)) continue
      out[cell] = next
      queue[tail++] = cell
    }
  }
}

/** Whether a monster with this footing may stand on a tile. */
export const canStand = canCross
