import { height, width } from '../grid.ts'
import { below, between, chance } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'
import { joinPlaces } from './join-places.ts'
import { smoothCaves } from './smooth-caves.ts'

/** Great halls: ragged ellipses, joined. The chasms through them are torn by `tearChasm`. */
export function carveChasms(draft: Draft): void {
  for (let column = 0; column < 4; column++)
    for (let row = 0; row < 2; row++) if (chance(draft.rng, 88)) digHall(draft, 11 + column * 19, 10 + row * 19)
  smoothCaves(draft.tiles, 2)
  joinPlaces(draft, 30)
  smoothCaves(draft.tiles, 1)
  joinPlaces(draft, 30)
}

/** Turns floor into a chasm along a line from west to east, or from north to south. Rock is not changed. */
export function tearChasm({ rng, tiles, taken }: Draft, isAcross: boolean): void {
  const length = isAcross ? width : height
  const breadth = isAcross ? height : width
  let at = between(rng, breadth >> 2, (3 * breadth) >> 2)
  let wide = between(rng, 2, 4)
  for (let along = 0; along < length; along++) {
    at += between(rng, -1, 1)
    if (chance(rng, 30)) wide = Math.min(6, Math.max(2, wide + between(rng, -1, 1)))
    for (let side = -(wide >> 1); side <= wide >> 1; side++) {
      const cell = isAcross ? (at + side) * width + along : along * width + at + side
      if (tiles[cell] === T.floor && taken[cell] !== 1) tiles[cell] = T.chasm
    }
  }
}

function digHall({ rng, tiles }: Draft, middleX: number, middleY: number): void {
  const x = middleX + below(rng, 5) - 2
  const y = middleY + below(rng, 5) - 2
  const radiusX = between(rng, 6, 11)
  const radiusY = between(rng, 5, 9)
  const reach = (radiusX * radiusY) ** 2
  for (let row = Math.max(2, y - radiusY); row <= Math.min(height - 3, y + radiusY); row++)
    for (let column = Math.max(2, x - radiusX); column <= Math.min(width - 3, x + radiusX); column++) {
      const away = ((column - x) * radiusY) ** 2 + ((row - y) * radiusX) ** 2
      const isInside = away < reach && chance(rng, away < reach >> 1 ? 95 : 70)
      if (isInside) tiles[row * width + column] = T.floor
    }
}
