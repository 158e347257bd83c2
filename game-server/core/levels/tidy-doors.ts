import { cellCount, width } from '../grid.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'

/** Replaces doors that have lost the walls beside them, to a lake for example, by floor. */
export function tidyDoors({ tiles, taken }: Draft): void {
  const isWall = (cell: number) => tiles[cell] === T.wall
  for (let cell = width; cell < cellCount - width; cell++) {
    if (tiles[cell] !== T.door && tiles[cell] !== T.secretDoor) continue
    const isHung = (isWall(cell - 1) && isWall(cell + 1)) || (isWall(cell - width) && isWall(cell + width))
    if (!isHung && taken[cell] !== 1) tiles[cell] = T.floor
  }
}
