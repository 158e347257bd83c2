import { below } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'
import type { Flood } from './flood.ts'

/**
 * A random free cell of floor or grass among those reached.
 *
 * @throws Error when none is found in 10,000 attempts
 */
export function pickGround({ rng, tiles, taken }: Draft, walked: Flood): number {
  for (let tries = 0; tries < 10_000; tries++) {
    const cell = walked.cells[below(rng, walked.count)] ?? 0
    if (taken[cell] !== 1 && (tiles[cell] === T.floor || tiles[cell] === T.grass)) return cell
  }
  throw new Error('a level without free ground')
}
