import { height, width } from '../grid.ts'
import { between, chance } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'
import { flood, makeFlood, plainWay } from './flood.ts'

const walked = makeFlood()

/** Opens walls between neighbouring cells that are far apart on foot, which makes loops. Some doors are secret. */
export function addLoops(draft: Draft, most: number, farSteps: number, doorPercent: number): void {
  const { rng, tiles } = draft
  const isFloor = (cell: number) => tiles[cell] === T.floor
  const isWall = (cell: number) => tiles[cell] === T.wall
  for (let tries = 0, made = 0; tries < 500 && made < most; tries++) {
    const cell = between(rng, 2, height - 3) * width + between(rng, 2, width - 3)
    if (!isWall(cell)) continue
    const isAcross = isFloor(cell - 1) && isFloor(cell + 1) && isWall(cell - width) && isWall(cell + width)
    const isUpright = isFloor(cell - width) && isFloor(cell + width) && isWall(cell - 1) && isWall(cell + 1)
    if (!isAcross && !isUpright) continue
    const step = isAcross ? 1 : width
    flood(tiles, cell - step, plainWay, walked, farSteps)
    if (walked.distance[cell + step] !== -1) continue
    tiles[cell] = chance(rng, doorPercent) ? (chance(rng, 25) ? T.secretDoor : T.door) : T.floor
    made++
  }
}
