import { cellCount } from '../grid.ts'
import { T } from '../tiles.ts'
import { anyWay, flood, makeFlood } from './flood.ts'

const reached = makeFlood()

/** Fills with rock what not even search and swimming would reach. Chasms stay: one can see into them. */
export function fillPockets(tiles: Uint8Array, from: number): void {
  flood(tiles, from, anyWay, reached)
  for (let cell = 0; cell < cellCount; cell++)
    if (reached.distance[cell] === -1 && anyWay[tiles[cell] ?? 0] === 1) tiles[cell] = T.wall
}
