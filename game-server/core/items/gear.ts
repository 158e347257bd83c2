import { itemKind } from './kinds.ts'

interface Weapon {
  readonly damage: readonly [number, number]
  /** Added to the chance to hit. */
  readonly aim: number
  /** The strength that it needs; each missing point reduces the chance to hit. */
  readonly needs: number
}

interface Armour {
  /** Subtracted from every enemy's chance to hit, in percentage points. */
  readonly guard: number
  readonly needs: number
}

const weapons: Record<string, Weapon> = {
  knife: { damage: [2, 4], aim: 0, needs: 8 },
  dagger: { damage: [2, 5], aim: 5, needs: 8 },
  sword: { damage: [4, 8], aim: 0, needs: 11 },
  axe: { damage: [4, 8], aim: -5, needs: 12 },
  mace: { damage: [6, 11], aim: -10, needs: 13 },
  spear: { damage: [3, 8], aim: 0, needs: 10 },
  rapier: { damage: [3, 8], aim: 15, needs: 10 },
  bow: { damage: [2, 5], aim: -5, needs: 10 },
  greatsword: { damage: [8, 15], aim: -5, needs: 15 },
}

const armours: Record<string, Armour> = {
  coat: { guard: 3, needs: 8 },
  leather: { guard: 8, needs: 9 },
  rings: { guard: 14, needs: 11 },
  chain: { guard: 21, needs: 13 },
  plate: { guard: 30, needs: 16 },
  shadow: { guard: 8, needs: 8 },
  thorns: { guard: 11, needs: 10 },
}

interface Worn {
  readonly kind: number
  readonly power: number
}

/** The damage range and aim of a weapon for a player of this strength, enchantment included. */
export function wield(worn: Worn, strength: number): { lo: number; hi: number; aim: number } {
  const { damage, aim, needs } = weapons[itemKind(worn.kind).id] ?? { damage: [1, 2], aim: 0, needs: 0 }
  const spare = strength - needs
  const more = worn.power + Math.max(0, Math.floor(spare / 3))
  return {
    lo: Math.max(1, damage[0] + more),
    hi: Math.max(1, damage[1] + more),
    aim: aim + 3 * worn.power + 5 * Math.min(0, spare),
  }
}

/** What armour subtracts from an enemy's chance to hit, for this strength, enchantment included. */
export function guardOf(worn: Worn, strength: number): number {
  const { guard, needs } = armours[itemKind(worn.kind).id] ?? { guard: 0, needs: 0 }
  return Math.max(0, guard + 4 * worn.power + 3 * Math.min(0, strength - needs))
}
