import { cellCount, offsets } from '../grid.ts'
import { below } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'

const open = new Int16Array(cellCount)

/** Places statues or crystals, each with free floor all around it, so that none of them blocks a way. */
export function placeSolids({ rng, tiles, taken }: Draft, tile: number, most: number): void {
  let count = 0
  // Without any open cell, random numbers are drawn all the same, and hit cell 0, which is rock.
  open[0] = 0
  for (let cell = 0; cell < cellCount; cell++) if (isOpen(tiles, taken, cell)) open[count++] = cell
  for (let n = 0; n < most; n++) {
    const cell = open[below(rng, count)] ?? 0
    if (isOpen(tiles, taken, cell)) tiles[cell] = tile
  }
}

function isOpen(tiles: Uint8Array, taken: Uint8Array, cell: number): boolean {
  if (tiles[cell] !== T.floor || taken[cell] === 1) return false
  for (let d = 0; d < 8; d++) {
    const beside = cell + (offsets[d] ?? 0)
    if (tiles[beside] !== T.floor || taken[beside] === 1) return false
  }
  return true
}
