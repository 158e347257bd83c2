import type { Carried, Player, World } from '../world.ts'
import { type ItemKind, itemKind } from './kinds.ts'
import { lookOf } from './looks.ts'

const signed = (power: number): string => (power === 0 ? '' : `${power > 0 ? '+' : ''}${power} `)

/** Whether a player knows what a kind does: always for gear and charms, for others once one was used. */
export function isIdentified(player: Player, kind: number): boolean {
  const { group } = itemKind(kind)
  return (group !== 'potion' && group !== 'scroll' && group !== 'wand') || player.identified[kind] === 1
}

function knownName(kind: ItemKind, item: Carried): string {
  switch (kind.group) {
    case 'gold':
      return 'gold'
    case 'potion':
    case 'scroll':
      return `${kind.group} of ${kind.name}`
    case 'wand':
      return `wand of ${kind.name} (${item.power} left)`
    case 'weapon':
    case 'armour':
      return `${signed(item.power)}${kind.name}`
    case 'charm':
      return item.power === 0 ? kind.name : `${kind.name} (ready in ${item.power})`
    case 'amulet':
      return kind.name
  }
}

/** The name of an item for a player: its look until its kind is identified. */
export function itemName(world: World, player: Player, item: Carried): string {
  const kind = itemKind(item.kind)
  const look = isIdentified(player, item.kind) ? undefined : lookOf(kind.group, world.looks[item.kind] ?? 0)
  const name = look ?? knownName(kind, item)
  return item.count > 1 && kind.group !== 'gold' ? `${item.count} x ${name}` : name
}
