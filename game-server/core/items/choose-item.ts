import type { ItemSlot } from '../levels/level-plan.ts'
import { below, between, chance, type Rng } from '../prng.ts'
import type { Carried } from '../world.ts'
import { type ItemGroup, itemKind, itemKinds, kindNumber } from './kinds.ts'

const groupsByLuck: readonly [ItemGroup, number][] = [
  ['potion', 38],
  ['scroll', 30],
  ['wand', 10],
  ['weapon', 9],
  ['armour', 7],
  ['charm', 6],
]
const groupsInVaults: readonly [ItemGroup, number][] = [
  ['wand', 30],
  ['weapon', 25],
  ['armour', 20],
  ['charm', 25],
]

function draw<T>(rng: Rng, choices: readonly (readonly [T, number])[]): T {
  let left = below(
    rng,
    choices.reduce((sum, [, weight]) => sum + weight, 0),
  )
  for (const [choice, weight] of choices) {
    if (left < weight) return choice
    left -= weight
  }
  throw new RangeError('nothing to draw from')
}

function drawFrom(rng: Rng, group: ItemGroup, depth: number): number {
  const able = itemKinds.flatMap((kind, number): [number, number][] =>
    kind.group === group && kind.weight > 0 && kind.from <= depth ? [[number, kind.weight]] : [],
  )
  return draw(rng, able)
}

/** The number of the item kind for a slot of a level's plan. */
export function chooseItem(rng: Rng, slot: ItemSlot, depth: number): number {
  switch (slot) {
    case 'gold':
    case 'healing':
    case 'life':
    case 'amulet':
      return kindNumber(slot)
    case 'enchant':
      return kindNumber('enchanting')
    case 'weapon':
    case 'armour':
      return drawFrom(rng, slot, depth + 1)
    case 'random':
      return drawFrom(rng, draw(rng, groupsByLuck), depth)
    case 'vault':
      return drawFrom(rng, draw(rng, groupsInVaults), depth + 3)
  }
}

/** Makes one item of a kind. Gold grows with the depth; an item of a treasury (`isFine`) is better. */
export function makeItem(rng: Rng, number: number, depth: number, isFine: boolean): Carried {
  const { group } = itemKind(number)
  switch (group) {
    case 'gold':
      return { kind: number, count: between(rng, 3, 8) * depth + 5, power: 0 }
    case 'wand':
      return { kind: number, count: 1, power: between(rng, 3, 5) + (isFine ? 2 : 0) }
    case 'weapon':
    case 'armour':
      return { kind: number, count: 1, power: isFine ? 2 : chance(rng, 30) ? between(rng, -1, 2) : 0 }
    default:
      return { kind: number, count: 1, power: 0 }
  }
}
