import { offsets } from '../grid.ts'
import { below } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'
import type { Flood } from './flood.ts'

/** The free ends of passages, in no order. */
export function findDeadEnds({ rng, tiles, taken }: Draft, walked: Flood): number[] {
  const ends: number[] = []
  for (let n = 0; n < walked.count; n++) {
    const cell = walked.cells[n] ?? 0
    if (tiles[cell] !== T.floor || taken[cell] === 1) continue
    const open = offsets.filter((offset) => tiles[cell + offset] !== T.wall)
    if (open.length === 1) ends.splice(below(rng, ends.length + 1), 0, cell)
  }
  return ends
}
