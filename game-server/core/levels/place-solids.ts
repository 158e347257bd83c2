import { offsets } from '../grid.ts'
import { below } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'

/** Sets statues or crystals into the open, each with free floor all around it, so that none of them cuts anything off. */
export function placeSolids(draft: Draft, tile: number, count: number): void {
  const { rng, tiles } = draft
  const open: number[] = []
  for (let cell = 0; cell < tiles.length; cell++) if (isOpen(draft, cell)) open.push(cell)
  for (let n = 0; n < count; n++) {
    const cell = open[below(rng, open.length)] ?? 0
    if (isOpen(draft, cell)) tiles[cell] = tile
  }
}

function isOpen(draft: Draft, cell: number): boolean {
  if (!isFloor(draft, cell)) return false
  for (const offset of offsets) if (!isFloor(draft, cell + offset)) return false
  return true
}

const isFloor = ({ tiles, taken }: Draft, cell: number): boolean => tiles[cell] === T.floor && taken[cell] !== 1
