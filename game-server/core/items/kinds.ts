export type ItemGroup = 'gold' | 'potion' | 'scroll' | 'wand' | 'weapon' | 'armour' | 'charm' | 'amulet'

export interface ItemKind {
  readonly id: string
  readonly name: string
  readonly group: ItemGroup
  /** How often it lies about, against the others of its group; 0 where only a level's plan puts it. */
  readonly weight: number
  /** The shallowest depth it is found at by luck. */
  readonly from: number
  /** What it does, in the words a player is told once it is known. */
  readonly does: string
}

const kind = (group: ItemGroup, id: string, name: string, weight: number, from: number, does: string): ItemKind => ({
  group,
  id,
  name,
  weight,
  from,
  does,
})

/** The place in this list is the number a kind is saved under: new kinds go to the end. */
export const itemKinds: readonly ItemKind[] = [
  kind('gold', 'gold', 'gold', 0, 1, 'counts'),

  kind('potion', 'healing', 'healing', 30, 1, 'heals you and cures what ails you'),
  kind('potion', 'life', 'life', 0, 1, 'heals you fully and for good raises your limit by 10'),
  kind('potion', 'strength', 'strength', 8, 2, 'raises your strength by 1'),
  kind('potion', 'telepathy', 'telepathy', 12, 1, 'shows you every mind on the level'),
  kind('potion', 'feathers', 'feathers', 10, 1, 'lets you float over water, traps and chasms'),
  kind('potion', 'haste', 'haste', 10, 2, 'gives you two turns for one'),
  kind('potion', 'fire', 'liquid fire', 10, 2, 'sets you and all beside you on fire'),
  kind('potion', 'venom', 'venom', 10, 1, 'poisons you'),
  kind('potion', 'muddle', 'muddle', 10, 1, 'confuses you'),
  kind('potion', 'ink', 'ink', 8, 2, 'blinds you'),
  kind('potion', 'stone', 'stoneskin', 8, 3, 'halves what hits you'),
  kind('potion', 'greed', 'greed', 10, 1, 'shows you everything that lies on the level'),

  kind('scroll', 'enchanting', 'enchanting', 0, 1, 'improves your weapon or armour, whichever is worse'),
  kind('scroll', 'insight', 'insight', 16, 1, 'identifies all you carry'),
  kind('scroll', 'elsewhere', 'elsewhere', 16, 1, 'takes you somewhere else on the level'),
  kind('scroll', 'mapping', 'mapping', 14, 1, 'draws you a map of the level'),
  kind('scroll', 'slumber', 'slumber', 10, 2, 'puts all in view to sleep'),
  kind('scroll', 'dread', 'dread', 12, 1, 'frightens all in view'),
  kind('scroll', 'company', 'company', 8, 2, 'brings monsters'),
  kind('scroll', 'uproar', 'uproar', 8, 1, 'wakes the level'),
  kind('scroll', 'cleansing', 'cleansing', 8, 1, 'ends what ails you'),
  kind('scroll', 'edge', 'the edge', 5, 3, 'improves your weapon'),
  kind('scroll', 'mail', 'the mail', 5, 3, 'improves your armour'),
  kind('scroll', 'refilling', 'refilling', 7, 3, 'recharges wands and charms'),

  kind('wand', 'force', 'force', 12, 1, 'strikes the nearest enemy hard'),
  kind('wand', 'sloth', 'sloth', 10, 1, 'slows the nearest enemy'),
  kind('wand', 'change', 'change', 7, 2, 'turns the nearest enemy into something else'),
  kind('wand', 'away', 'away', 10, 1, 'sends the nearest enemy elsewhere'),
  kind('wand', 'flame', 'flame', 9, 3, 'burns the nearest enemy and those beside it'),
  kind('wand', 'frost', 'frost', 9, 3, 'freezes the nearest enemy for a while'),
  kind('wand', 'leech', 'leeching', 7, 4, 'takes life from the nearest enemy and gives it to you'),
  kind('wand', 'twins', 'twins', 6, 2, 'doubles the nearest enemy'),

  kind('weapon', 'knife', 'knife', 0, 1, 'is better than nothing'),
  kind('weapon', 'dagger', 'dagger', 10, 1, 'kills sleepers in their sleep'),
  kind('weapon', 'sword', 'sword', 10, 2, 'does what swords do'),
  kind('weapon', 'axe', 'axe', 9, 3, 'hits everything beside you'),
  kind('weapon', 'mace', 'mace', 8, 4, 'stuns now and then'),
  kind('weapon', 'spear', 'spear', 9, 2, 'hits whoever stands behind, too'),
  kind('weapon', 'rapier', 'rapier', 8, 3, 'rarely misses'),
  kind('weapon', 'bow', 'bow', 9, 2, 'shoots far better than a thrown dart'),
  kind('weapon', 'greatsword', 'greatsword', 6, 6, 'is a sword, only more so'),

  kind('armour', 'coat', "traveller's coat", 0, 1, 'keeps the damp off'),
  kind('armour', 'leather', 'leather armour', 10, 1, 'turns a blade now and then'),
  kind('armour', 'rings', 'ring mail', 9, 3, 'turns many blades'),
  kind('armour', 'chain', 'chain mail', 8, 5, 'turns most blades'),
  kind('armour', 'plate', 'plate armour', 6, 7, 'turns nearly everything, at a weight'),
  kind('armour', 'shadow', 'shadow cloak', 7, 3, 'lets sleepers sleep'),
  kind('armour', 'thorns', 'coat of thorns', 7, 4, 'hurts whoever hits you'),

  kind('charm', 'mending', 'mending charm', 10, 2, 'heals you a little, again and again'),
  kind('charm', 'blinking', 'blinking charm', 10, 2, 'takes you a few steps away'),
  kind('charm', 'warding', 'warding charm', 8, 3, 'halves what hits you for a moment'),
  kind('charm', 'fright', 'fright charm', 8, 3, 'frightens all in view'),
  kind('charm', 'lantern', 'lantern charm', 9, 1, 'shows what is near, hidden things too'),
  kind('charm', 'echo', 'echo charm', 8, 1, 'lets you hear minds for a while'),

  kind('amulet', 'amulet', 'Amulet of the Undercroft', 0, 12, 'is what you came for'),
]

const byId = new Map(itemKinds.map(({ id }, number) => [id, number]))

/** The number of a kind. */
export function kindNumber(id: string): number {
  const number = byId.get(id)
  if (number === undefined) throw new RangeError(`no item is called ${id}`)
  return number
}

export function itemKind(number: number): ItemKind {
  const found = itemKinds[number]
  if (!found) throw new RangeError(`no item has the number ${number}`)
  return found
}

const glyphs: Record<ItemGroup, string> = {
  gold: '$',
  potion: '!',
  scroll: '?',
  wand: '/',
  weapon: ')',
  armour: '[',
  charm: '(',
  amulet: 'A',
}

export const itemGlyph = (number: number): string => glyphs[itemKind(number).group]
