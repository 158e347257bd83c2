import { cellCount, offsets } from '../grid.ts'
import { below } from '../prng.ts'
import { makeStream } from '../stream.ts'
import { T } from '../tiles.ts'
import { rules } from '../world.ts'
import { type Draft, makeDraft } from './draft.ts'
import { anyWay, type Flood, flood, makeFlood, plainWay } from './flood.ts'
import type { LevelPlan } from './level-plan.ts'
import { placeItems } from './place-items.ts'
import { placeMonsters } from './place-monsters.ts'
import { placeStairs } from './place-stairs.ts'
import { placeTraps } from './place-traps.ts'
import { themes } from './themes.ts'

const reached = makeFlood()

/** Fills cells that not even searching and swimming can reach with rock. Chasms stay: players can see into them. */
function fillPockets(tiles: Uint8Array, from: number): void {
  flood(tiles, from, anyWay, reached)
  for (let cell = 0; cell < cellCount; cell++)
    if (reached.distance[cell] === -1 && anyWay[tiles[cell] ?? 0] === 1) tiles[cell] = T.wall
}

const leastCells = 500
const arrivalCells = 24
const walked = makeFlood()

/**
 * The plan of a level at a depth from 1 to 12. It depends only on seed, depth and rules.
 *
 * @throws Error when there is no such depth, or 100 attempts fail
 */
export function generateLevel(seed: string, depth: number, byRules = rules): LevelPlan {
  const rng = makeStream({ rules: byRules, seed }, `level/${depth}`)
  for (let attempt = 0; attempt < 100; attempt++) {
    const plan = tryLevel(makeDraft(rng, depth, byRules))
    if (plan) return plan
  }
  throw new Error(`no level came out of seed ${seed} at depth ${depth}`)
}

function tryLevel(draft: Draft): LevelPlan | undefined {
  const { depth, tiles } = draft
  const style = themes[depth - 1]
  if (!style) throw new Error(`there is no depth ${depth}`)
  style.build(draft)
  const stairs = placeStairs(draft)
  if (!stairs) return undefined
  const { up, down } = stairs
  fillPockets(tiles, up)
  const returns = down === 0 ? [] : reserveGround(draft, flood(tiles, down, plainWay, walked))
  flood(tiles, up, plainWay, walked)
  if (walked.count < leastCells) return undefined
  const arrivals = reserveGround(draft, walked)
  const deadEnds = findDeadEnds(draft, walked)
  placeItems(draft, walked, deadEnds)
  placeMonsters(draft, walked, down, deadEnds)
  placeTraps(draft, walked)
  const { treasuries, monsters, items, traps } = draft
  return { depth, theme: style.theme, tiles, up, down, arrivals, returns, treasuries, monsters, items, traps }
}

/** Marks the ground nearest to the start of a flood as taken, so that it stays clear; returns its cells. */
function reserveGround({ tiles, taken }: Draft, from: Flood): number[] {
  const ground: number[] = []
  for (let n = 0; n < from.count && ground.length < arrivalCells; n++) {
    const cell = from.cells[n] ?? 0
    if (tiles[cell] !== T.floor && tiles[cell] !== T.grass) continue
    taken[cell] = 1
    ground.push(cell)
  }
  return ground
}

/** The free ends of passages, in random order. */
function findDeadEnds({ rng, tiles, taken }: Draft, walked: Flood): number[] {
  const ends: number[] = []
  for (let n = 0; n < walked.count; n++) {
    const cell = walked.cells[n] ?? 0
    if (tiles[cell] !== T.floor || taken[cell] === 1) continue
    let open = 0
    for (let d = 0; d < 8 && open < 2; d++) if (tiles[cell + (offsets[d] ?? 0)] !== T.wall) open++
    if (open === 1) ends.splice(below(rng, ends.length + 1), 0, cell)
  }
  return ends
}
