import type { ItemSlot } from './level-plan.ts'

const every: readonly ItemSlot[] = ['enchant', 'healing', 'healing']

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

/** What every level owes everybody who walks it: growth is found, not fought for, so it must not depend on luck. */
export const meteredItems = (depth: number): readonly ItemSlot[] => [...every, ...(extra[depth - 1] ?? [])]
