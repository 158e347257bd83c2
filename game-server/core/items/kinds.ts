export type ItemGroup = 'gold' | 'potion' | 'scroll' | 'wand' | 'weapon' | 'armour' | 'charm' | 'amulet'

export interface ItemKind {
  readonly id: string
  readonly name: string
  readonly group: ItemGroup
  /** Relative frequency within its group; 0 for kinds that only a level's plan places. */
  readonly weight: number
  /** The first depth at which it is generated at random. */
  readonly from: number
  /** What it does, as players are told once it is identified. */
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

/** Kinds are saved as their index in this list, so new kinds must be added at the end. */
export const itemKinds: readonly ItemKind[] = [
  kind('gold', 'gold', 'gold', 0, 1, 'counts'),

  kind('potion', 'healing', 'healing', 30, 1, 'heals you and cures every ailment'),
  kind('potion', 'life', 'life', 0, 1, 'heals you fully and raises your maximum health by 10'),
  kind('potion', 'strength', 'strength', 8, 2, 'raises your strength by 1'),
  kind('potion', 'telepathy', 'telepathy', 12, 1, 'shows you every creature on the level for a while'),
  kind('potion', 'feathers', 'feathers', 10, 1, 'lets you float over water, traps and chasms'),
  kind('potion', 'haste', 'haste', 10, 2, 'gives you two turns for one, for a while'),
  kind('potion', 'fire', 'liquid fire', 10, 2, 'sets you and everything beside you on fire'),
  kind('potion', 'venom', 'venom', 10, 1, 'poisons you'),
  kind('potion', 'muddle', 'muddle', 10, 1, 'confuses you'),
  kind('potion', 'ink', 'ink', 8, 2, 'blinds you'),
  kind('potion', 'stone', 'stoneskin', 8, 3, 'halves the damage you take'),
  kind('potion', 'greed', 'greed', 10, 1, 'shows you every item on the level'),

  kind('scroll', 'enchanting', 'enchanting', 0, 1, 'improves your weapon or armour, whichever is worse'),
  kind('scroll', 'insight', 'insight', 16, 1, 'identifies all you carry'),
  kind('scroll', 'elsewhere', 'elsewhere', 16, 1, 'takes you somewhere else on the level'),
  kind('scroll', 'mapping', 'mapping', 14, 1, 'draws you a map of the level'),
  kind('scroll', 'slumber', 'slumber', 10, 2, 'puts all in view to sleep'),
  kind('scroll', 'dread', 'dread', 12, 1, 'frightens all in view'),
  kind('scroll', 'company', 'company', 8, 2, 'brings monsters'),
  kind('scroll', 'uproar', 'uproar', 8, 1, 'wakes everybody on the level'),
  kind('scroll', 'cleansing', 'cleansing', 8, 1, 'cures every ailment'),
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

  kind('weapon', 'knife', 'knife', 0, 1, 'does little, but five times as much to sleepers'),
  kind('weapon', 'dagger', 'dagger', 10, 1, 'does five times the damage to sleepers'),
  kind('weapon', 'sword', 'sword', 10, 2, 'hits hard, with no special effect'),
  kind('weapon', 'axe', 'axe', 9, 3, 'hits everything beside you'),
  kind('weapon', 'mace', 'mace', 8, 4, 'sometimes stuns'),
  kind('weapon', 'spear', 'spear', 9, 2, 'also hits whoever stands behind'),
  kind('weapon', 'rapier', 'rapier', 8, 3, 'rarely misses'),
  kind('weapon', 'bow', 'bow', 9, 2, 'shoots far better than a thrown dart'),
  kind('weapon', 'greatsword', 'greatsword', 6, 6, 'hits very hard, with no special effect'),

  kind('armour', 'coat', "traveller's coat", 0, 1, 'keeps the damp off'),
  kind('armour', 'leather', 'leather armour', 10, 1, 'turns a blade now and then'),
  kind('armour', 'rings', 'ring mail', 9, 3, 'turns many blades'),
  kind('armour', 'chain', 'chain mail', 8, 5, 'turns most blades'),
  kind('armour', 'plate', 'plate armour', 6, 7, 'turns nearly everything, at a weight'),
  kind('armour', 'shadow', 'shadow cloak', 7, 3, 'makes it less likely that you are noticed'),
  kind('armour', 'thorns', 'coat of thorns', 7, 4, 'hurts whoever hits you'),

  kind('charm', 'mending', 'mending charm', 10, 2, 'heals you a little'),
  kind('charm', 'blinking', 'blinking charm', 10, 2, 'takes you a few steps away'),
  kind('charm', 'warding', 'warding charm', 8, 3, 'halves the damage you take for a moment'),
  kind('charm', 'fright', 'fright charm', 8, 3, 'frightens all in view'),
  kind('charm', 'lantern', 'lantern charm', 9, 1, 'shows what is near, and finds what is hidden'),
  kind('charm', 'echo', 'echo charm', 8, 1, 'shows you every creature on the level for a while'),

  kind('amulet', 'amulet', 'Amulet of the Undercroft', 0, 12, 'is what you came for'),
]

const byId = new Map(itemKinds.map(({ id }, number) => [id, number]))

/**
 * The number of a kind.
 *
 * @throws RangeError when no kind has this id
 */
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
