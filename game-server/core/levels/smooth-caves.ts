import { cellCount, height, width } from '../grid.ts'
import { T } from '../tiles.ts'

const next = new Uint8Array(cellCount)

/** Turns noise into caves: rock grows where rock prevails. The rim of the level stays rock. */
export function smoothCaves(tiles: Uint8Array, rounds: number): void {
  for (let round = 0; round < rounds; round++) {
    next.fill(T.wall)
    for (let y = 2; y < height - 2; y++)
      for (let cell = y * width + 2, end = (y + 1) * width - 2; cell < end; cell++) {
        const open = openAround(tiles, cell)
        next[cell] = open > 4 || (open === 4 && tiles[cell] === T.floor) ? T.floor : T.wall
      }
    tiles.set(next)
  }
}

/** How many of the eight neighbours are open; floor is 1 and rock is 0, so they add up. */
const openAround = (tiles: Uint8Array, cell: number): number =>
  (tiles[cell - width - 1] ?? 0) +
  (tiles[cell - width] ?? 0) +
  (tiles[cell - width + 1] ?? 0) +
  (tiles[cell - 1] ?? 0) +
  (tiles[cell + 1] ?? 0) +
  (tiles[cell + width - 1] ?? 0) +
  (tiles[cell + width] ?? 0) +
  (tiles[cell + width + 1] ?? 0)
