const weapons: Readonly<Record<string, number>> = {
  knife: 30,
  dagger: 36,
  bow: 40,
  spear: 56,
  sword: 60,
  rapier: 62,
  axe: 60,
  mace: 76,
  greatsword: 92,
}
const armours: Readonly<Record<string, number>> = {
  "traveller's coat": 3,
  'leather armour': 8,
  'shadow cloak': 8,
  'coat of thorns': 12,
  'ring mail': 14,
  'chain mail': 20,
  'plate armour': 24,
}

const toTable = { weapon: weapons, armour: armours }

/** The worth of a piece of gear by its name ("+1 sword"), as the manual describes it; 0 for unknown gear. */
export function gearWorth(place: 'weapon' | 'armour', name: string): number {
  const [, power = '0', kind = ''] = name.match(/^(?:([+-]\d+) )?(.*)$/) ?? []
  const worth = toTable[place][kind]
  return worth === undefined ? 0 : worth + Number(power) * (place === 'weapon' ? 11 : 4)
}
