import { width } from '../grid.ts'
import { between, chance } from '../prng.ts'
import type { Draft } from './draft.ts'
import type { Flood } from './flood.ts'
import type { ItemSlot } from './level-plan.ts'
import { pickGround } from './pick-ground.ts'

/** Each level has one of these, in turn. */
const growth = ['weapon', 'armour', 'life'] as const

/**
 * The items that every level has, so that a player's growth does not depend on luck. Odd depths have a second potion
 * of healing; with two on every level, players who rest at leisure never die.
 */
function meteredItems(depth: number): readonly ItemSlot[] {
  const turn = (depth - 1) % growth.length
  return ['enchant', 'healing', ...(depth % 2 === 1 ? (['healing'] as const) : []), ...growth.slice(turn, turn + 1)]
}

/** Places the items that the level must have, and some at random, only where walking from the stairs leads. */
export function placeItems(draft: Draft, walked: Flood, deadEnds: number[]): void {
  const { rng, depth } = draft
  const found: ItemSlot[] = Array.from({ length: between(rng, 3, 5) }, () => 'random')
  const gold: ItemSlot[] = Array.from({ length: between(rng, 3, 4) }, () => 'gold')
  const laid: number[] = []
  for (const slot of [...found, ...meteredItems(depth), ...gold]) {
    // Dead ends are preferred, so that walking to the end of a passage is usually worth it.
    const end = chance(rng, 60) ? nextEnd(draft, deadEnds) : undefined
    const cell = end ?? findLonely(draft, walked, laid)
    draft.taken[cell] = 1
    laid.push(cell)
    draft.items.push({ slot, cell })
  }
}

/** A dead end without an item. Rules 1 do not check this, so that sometimes an item replaces another. */
function nextEnd({ rules, taken }: Draft, deadEnds: number[]): number | undefined {
  let end = deadEnds.pop()
  while (rules > 1 && end !== undefined && taken[end] === 1) end = deadEnds.pop()
  return end
}

/** Of a few random free cells, the one farthest from all items placed so far. */
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
