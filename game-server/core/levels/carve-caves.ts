import { height, width } from '../grid.ts'
import { chance } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'
import { joinPlaces } from './join-places.ts'
import { smoothCaves } from './smooth-caves.ts'

/** Living caves: noise, smoothed, its hollows joined. Belts of thicker rock keep it from being one hall. */
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
