import { cellCount, offsets } from '../grid.ts'
import { below, between } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'

const soil = new Int16Array(cellCount)

/** Covers floor with patches of a walkable tile, each grown outward from a random cell. */
export function growPatches(draft: Draft, tile: number, patches: number, size: number): void {
  const { rng, tiles, taken } = draft
  const isSoil = (cell: number) => tiles[cell] === T.floor && taken[cell] !== 1
  let count = 0
  // Without any soil, random numbers are drawn all the same, and hit cell 0, which is rock.
  soil[0] = 0
  for (let cell = 0; cell < cellCount; cell++) if (isSoil(cell)) soil[count++] = cell
  for (let patch = 0; patch < patches; patch++) {
    const grown = [soil[below(rng, count)] ?? 0]
    for (let left = between(rng, size >> 1, size); left > 0; left--) {
      const cell = grown[below(rng, grown.length)] ?? 0
      const next = cell + (offsets[below(rng, 8)] ?? 0)
      if (isSoil(cell)) tiles[cell] = tile
      if (isSoil(next)) grown.push(next)
    }
  }
}
