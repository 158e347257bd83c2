import { width } from '../grid.ts'
import { T } from '../tiles.ts'

/** The step from a cell to the only one of its four neighbours that is not rock; 0 if there is not exactly one. */
export function openSideOf(tiles: Uint8Array, cell: number): number {
  let side = tiles[cell - width] === T.wall ? 0 : -width
  if (tiles[cell + 1] !== T.wall) {
    if (side !== 0) return 0
    side = 1
  }
  if (tiles[cell + width] !== T.wall) {
    if (side !== 0) return 0
    side = width
  }
  if (tiles[cell - 1] !== T.wall) return side === 0 ? -1 : 0
  return side
}
