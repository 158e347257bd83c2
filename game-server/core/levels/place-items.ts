import { width } from '../grid.ts'
import { between, chance } from '../prng.ts'
import type { Draft } from './draft.ts'
import type { Flood } from './flood.ts'
import type { ItemSlot } from './level-plan.ts'
import { pickGround } from './pick-ground.ts'

/** One of these more on each level, in turn. */
const growth = ['weapon', 'armour', 'life'] as const

/**
 * What every level owes everybody who walks it: growth is found, not fought for, so it must not depend on luck.
 * Every other level has a second potion of healing; with two on each, whoever rested at leisure never died.
 */
function meteredItems(depth: number): readonly ItemSlot[] {
  const turn = (depth - 1) % growth.length
  return ['enchant', 'healing', ...(depth % 2 === 1 ? (['healing'] as const) : []), ...growth.slice(turn, turn + 1)]
}

/** Lays out what the level owes and some luck on top, only where plain walking from the stairs leads. */
export function placeItems(draft: Draft, walked: Flood, deadEnds: number[]): void {
  const { rng, depth } = draft
  const found: ItemSlot[] = Array.from({ length: between(rng, 3, 5) }, () => 'random')
  const gold: ItemSlot[] = Array.from({ length: between(rng, 3, 4) }, () => 'gold')
  const laid: number[] = []
  for (const slot of [...found, ...meteredItems(depth), ...gold]) {
    // A walk to the end of a passage should have been worth it, mostly.
    const end = chance(rng, 60) ? nextEnd(draft, deadEnds) : undefined
    const cell = end ?? findLonely(draft, walked, laid)
    draft.taken[cell] = 1
    laid.push(cell)
    draft.items.push({ slot, cell })
  }
}

/** A dead end in which nothing lies yet. Rules 1 did not look, and now and then one thing vanished under another. */
function nextEnd({ rules, taken }: Draft, deadEnds: number[]): number | undefined {
  let end = deadEnds.pop()
  while (rules > 1 && end !== undefined && taken[end] === 1) end = deadEnds.pop()
  return end
}

/** Of a few free cells the one farthest from everything laid out so far. */
function findLonely(draft: Draft, walked: Flood, laid: readonly number[]): number {
  let best = 0
  let farthest = -1
  for (let tries = 0; tries < 4 || farthest < 0; tries++) {
    const cell = pickGround(draft, walked)
    const lonely = laid.reduce((least, other) => Math.min(least, gap(cell, other)), width)
    if (lonely <= farthest) continue
    best = cell
    farthest = lonely
  }
  return best
}

const gap = (a: number, b: number): number =>
  Math.max(Math.abs((a % width) - (b % width)), Math.abs(Math.floor(a / width) - Math.floor(b / width)))
