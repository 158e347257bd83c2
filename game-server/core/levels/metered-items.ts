import type { ItemSlot } from './level-plan.ts'

const extra: readonly (readonly ItemSlot[])[] = [
  ['weapon'],
  ['armour'],
  ['life'],
  ['weapon'],
  ['armour'],
  ['life'],
  ['weapon'],
  ['armour'],
  ['life'],
  ['weapon'],
  ['armour'],
  ['life'],
]

/**
 * What every level owes everybody who walks it: growth is found, not fought for, so it must not depend on luck.
 * Every other level has a second potion of healing; with two on each, whoever rested at leisure never died.
 */
export const meteredItems = (depth: number): readonly ItemSlot[] => [
  'enchant',
  'healing',
  ...(depth % 2 === 1 ? (['healing'] as const) : []),
  ...(extra[depth - 1] ?? []),
]
