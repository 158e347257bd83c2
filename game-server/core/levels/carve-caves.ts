import { height, width } from '../grid.ts'
import { chance } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'
import { joinPlaces } from './join-places.ts'
import { smoothCaves } from './smooth-caves.ts'

/** Caves: random noise, smoothed, with its hollows joined. Belts with more rock keep them from being one large hall. */
export function carveCaves(draft: Draft): void {
  const { rng, tiles } = draft
  for (let y = 2; y < height - 2; y++)
    for (let x = 2; x < width - 2; x++) {
      const isBelt = (x + (y >> 2)) % 20 < 3
      if (chance(rng, isBelt ? 38 : 55)) tiles[y * width + x] = T.floor
    }
  smoothCaves(tiles, 4)
  joinPlaces(draft, 14)
}
