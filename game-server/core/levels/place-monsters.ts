import { offsets, width } from '../grid.ts'
import { below, between, chance } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'
import type { Flood } from './flood.ts'
import type { MonsterRole } from './level-plan.ts'
import { pickGround } from './pick-ground.ts'

/** Steps around the stairs without monsters, so that arriving players can look around first. */
const safeSteps = 14
const bossDepths: readonly number[] = [4, 8, 12]

/** Places the monsters of a level: loners, packs, a guard at a narrow place, ambushes, swimmers, and maybe a boss. */
export function placeMonsters(draft: Draft, walked: Flood, down: number, deadEnds: readonly number[]): void {
  const { rng, depth } = draft
  const loners = depth === 12 ? 2 : 6 + Math.floor((2 * depth) / 3) + below(rng, 3)
  const packs = depth < 2 ? 0 : depth < 4 || depth === 12 ? 1 : between(rng, 1, depth < 7 ? 2 : 3)
  for (let n = 0; n < loners; n++) place(draft, farGround(draft, walked), 'ambient', chance(rng, 65))
  for (let pack = 1; pack <= packs; pack++) placePack(draft, farGround(draft, walked), pack)
  placeGuard(draft, walked, down)
  placeAmbushes(draft, walked, deadEnds)
  placeSwimmers(draft)
  if (bossDepths.includes(depth) && !draft.monsters.some(({ role }) => role === 'boss'))
    place(draft, nearStairs(draft, walked, down), 'boss', true)
}

function place(draft: Draft, cell: number, role: MonsterRole, isAsleep: boolean): void {
  draft.taken[cell] = 1
  draft.monsters.push({ role, cell, isAsleep })
}

function farGround(draft: Draft, walked: Flood): number {
  let cell = pickGround(draft, walked)
  for (let tries = 0; tries < 100 && (walked.distance[cell] ?? 0) < safeSteps; tries++) cell = pickGround(draft, walked)
  return cell
}

/** Places a pack, whose members are all asleep or all awake. */
function placePack(draft: Draft, lair: number, pack: number): void {
  const { rng, tiles, taken } = draft
  const isAsleep = chance(rng, 50)
  let left = between(rng, 3, 4)
  for (const step of [0, ...offsets, 2, -2, 2 * width, -2 * width]) {
    const cell = lair + step
    if (left === 0) return
    if (taken[cell] === 1 || (tiles[cell] !== T.floor && tiles[cell] !== T.grass)) continue
    draft.taken[cell] = 1
    draft.monsters.push({ role: 'pack', cell, isAsleep, pack })
    left--
  }
}

function placeGuard(draft: Draft, walked: Flood, down: number): void {
  const { rng, tiles, taken, depth } = draft
  if (depth < 2 || down === 0) return
  const isRock = (cell: number) => tiles[cell] === T.wall
  for (let tries = 0; tries < 400; tries++) {
    const cell = walked.cells[below(rng, walked.count)] ?? 0
    if ((walked.distance[cell] ?? 0) < 2 * safeSteps || taken[cell] === 1) continue
    const isNarrow = (isRock(cell - 1) && isRock(cell + 1)) || (isRock(cell - width) && isRock(cell + width))
    if (!isNarrow || tiles[cell] !== T.floor) continue
    place(draft, cell, 'guard', false)
    return
  }
}

/** Uses the remaining dead ends: two get an ambush, the others rubble. */
function placeAmbushes(draft: Draft, walked: Flood, deadEnds: readonly number[]): void {
  let left = draft.depth < 2 ? 0 : 2
  for (const cell of deadEnds) {
    if (draft.taken[cell] === 1) continue
    if (left > 0 && (walked.distance[cell] ?? 0) > safeSteps) {
      place(draft, cell, 'ambush', true)
      left--
    } else draft.tiles[cell] = T.rubble
  }
}

/** Places one swimmer for every sixty cells of deep water, so that swimming is a risk. */
function placeSwimmers(draft: Draft): void {
  const deep: number[] = []
  const { tiles, taken } = draft
  for (let cell = 0; cell < tiles.length; cell++) if (tiles[cell] === T.deepWater && taken[cell] !== 1) deep.push(cell)
  for (let n = Math.floor(deep.length / 60); n > 0; n--) {
    const cell = deep[below(draft.rng, deep.length)] ?? 0
    if (draft.taken[cell] !== 1) place(draft, cell, 'water', true)
  }
}

/** Free ground near the stairs down, which bosses guard. */
function nearStairs(draft: Draft, walked: Flood, down: number): number {
  let best = farGround(draft, walked)
  const gap = (cell: number) =>
    Math.abs((cell % width) - (down % width)) + Math.abs(Math.floor(cell / width) - Math.floor(down / width))
  for (let tries = 0; tries < 60; tries++) {
    const cell = farGround(draft, walked)
    if (gap(cell) < gap(best)) best = cell
  }
  return best
}
