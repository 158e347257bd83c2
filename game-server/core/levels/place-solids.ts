import { offsets } from '../grid.ts'
import { below } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'

/** Sets statues or crystals into the open, each with free floor all around it, so that none of them cuts anything off. */
export function placeSolids({ rng, tiles, taken }: Draft, tile: number, count: number): void {
  const isFloor = (cell: number) => tiles[cell] === T.floor && taken[cell] !== 1
  const open: number[] = []
  for (let cell = 0; cell < tiles.length; cell++)
    if (isFloor(cell) && offsets.every((offset) => isFloor(cell + offset))) open.push(cell)
  for (let n = 0; n < count; n++) {
    const cell = open[below(rng, open.length)] ?? 0
    if (isFloor(cell) && offsets.every((offset) => isFloor(cell + offset))) tiles[cell] = tile
  }
}
