import { cellCount, width } from '../grid.ts'
import { below, type Rng } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'
import { flood, makeFlood, plainWay } from './flood.ts'
import { openSideOf } from './open-side.ts'

const walked = makeFlood()
/** No monster may be nearer to the stairs up than this many steps, not even in a vault. */
const safeSteps = 10

/** Puts both stairs into walls, far apart; undefined if the level has no room for that. The last level has its own. */
export function placeStairs(draft: Draft): { up: number; down: number } | undefined {
  const { rng, tiles, monsters } = draft
  const designed = tiles.indexOf(T.stairsUp)
  if (designed !== -1) return { up: designed, down: 0 }
  const alcoves = findAlcoves(draft)
  if (alcoves.length < 8) return undefined
  const up = pickCell(rng, alcoves)
  tiles[up] = T.stairsUp
  flood(tiles, up, plainWay, walked, safeSteps)
  if (monsters.some(({ cell }) => walked.distance[cell] !== -1)) return undefined
  flood(tiles, up, plainWay, walked)
  const stepsTo = (alcove: number) => walked.distance[alcove + openSideOf(tiles, alcove)] ?? -1
  let down = 0
  let farthest = 0
  for (let tries = 0; tries < 12; tries++) {
    const cell = pickCell(rng, alcoves)
    if (cell === up || stepsTo(cell) <= farthest) continue
    down = cell
    farthest = stepsTo(cell)
  }
  if (farthest < 40) return undefined
  tiles[down] = T.stairsDown
  return { up, down }
}

const pickCell = (rng: Rng, cells: readonly number[]): number => cells[below(rng, cells.length)] ?? 0

function findAlcoves({ tiles, taken }: Draft): number[] {
  const alcoves: number[] = []
  for (let cell = 2 * width; cell < cellCount - 2 * width; cell++) {
    const x = cell % width
    if (tiles[cell] !== T.wall || taken[cell] === 1 || x < 2 || x > width - 3) continue
    const front = openSideOf(tiles, cell)
    if (front !== 0 && tiles[cell + front] === T.floor && taken[cell + front] === 0) alcoves.push(cell)
  }
  return alcoves
}
