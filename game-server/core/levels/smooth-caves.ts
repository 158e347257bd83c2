import { cellCount, height, width } from '../grid.ts'
import { T } from '../tiles.ts'

const next = new Uint8Array(cellCount)

/** Turns noise into caves with a cellular automaton: each cell becomes what most neighbours are. The rim stays rock. */
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

/** How many of the eight neighbours are floor: their tile numbers are added, floor being 1 and rock 0. */
const openAround = (tiles: Uint8Array, cell: number): number =>
  (tiles[cell - width - 1] ?? 0) +
  (tiles[cell - width] ?? 0) +
  (tiles[cell - width + 1] ?? 0) +
  (tiles[cell - 1] ?? 0) +
  (tiles[cell + 1] ?? 0) +
  (tiles[cell + width - 1] ?? 0) +
  (tiles[cell + width] ?? 0) +
  (tiles[cell + width + 1] ?? 0)
