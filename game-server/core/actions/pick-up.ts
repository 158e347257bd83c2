import { itemName } from '../items/item-name.ts'
import { itemKind } from '../items/kinds.ts'
import { type Scene, tell } from '../scene.ts'
import type { Carried, Pile, Player } from '../world.ts'

/** The keys of the pack's slots, in order. */
export const slotKeys: readonly string[] = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '-', '=']

const bitOf = (player: Player): number => 1 << (player.id - 1)

/** Whether a player has not taken this pile yet. Each player can take every pile once, whatever others took. */
export const isFor = (pile: Pile, player: Player): boolean => (pile.taken & bitOf(player)) === 0

const stacks = (item: Carried): boolean => {
  const { group } = itemKind(item.kind)
  return group === 'potion' || group === 'scroll'
}

/** The stack in the pack that an item would join. */
const stackFor = (player: Player, item: Carried): Carried | undefined =>
  stacks(item) ? player.pack.find((each) => each.kind === item.kind) : undefined

/** Whether an item can be taken: gold and the Amulet always; others need a stack, a slot, or gear to sell or drop. */
export const hasRoom = (player: Player, item: Carried): boolean => {
  const { group } = itemKind(item.kind)
  return (
    group === 'gold' ||
    group === 'amulet' ||
    player.pack.length < slotKeys.length ||
    stackFor(player, item) !== undefined ||
    hasBetter(player, item) ||
    (!isGear(item) && player.pack.some(isGear))
  )
}

/** The pile on the acting player's cell, if it is still there for them. */
export function pileHere({ level, player }: Scene): Pile | undefined {
  const pile = level.piles.get(player.cell)
  return pile && isFor(pile, player) ? pile : undefined
}

/** Takes the item on the player's cell. From a treasury each player may take only one. */
export function pickUp(scene: Scene): void {
  const { world, player, level } = scene
  const pile = pileHere(scene)
  if (!pile) return
  const name = itemName(world, player, pile)
  if (!hasRoom(player, pile)) {
    tell(scene, 'info', `Your pack is full; the ${name} stays where it lies.`)
    return
  }
  pile.taken |= bitOf(player)
  if (pile.vault > 0) {
    for (const other of level.piles.values()) if (other.vault === pile.vault) other.taken |= bitOf(player)
    tell(scene, 'info', 'You choose, and the rest is gone.')
  }
  const { group } = itemKind(pile.kind)
  if (group === 'gold') {
    player.gold += pile.count
    tell(scene, 'gold', `You pick up ${pile.count} gold.`)
  } else if (group === 'amulet') {
    player.hasAmulet = true
    tell(scene, 'amulet', `The ${name} is yours. Now get out: up, all the way.`)
  } else if (hasBetter(player, pile)) {
    player.gold += salvage
    tell(scene, 'gold', `Your ${itemKind(pile.kind).name} is as good; this one fetches ${salvage} gold.`)
  } else {
    makeRoom(scene, pile)
    tell(scene, 'item', `You pick up the ${name} (key ${putInPack(player, pile)}).`)
  }
}

/** Drops spare gear from a full pack for an item that is not gear. */
function makeRoom(scene: Scene, item: Carried): void {
  const { world, player } = scene
  if (player.pack.length < slotKeys.length || stackFor(player, item)) return
  const spare = player.pack.findIndex(isGear)
  for (const left of player.pack.splice(spare, 1))
    tell(scene, 'item', `You leave the ${itemName(world, player, left)} to make room.`)
}

const isGear = ({ kind }: Pick<Carried, 'kind'>): boolean => ['weapon', 'armour'].includes(itemKind(kind).group)

const salvage = 10

/** Whether a player has the same kind of gear with at least this power, so that it is sold at once. */
function hasBetter({ weapon, armour, pack }: Player, { kind, power }: Carried): boolean {
  if (!isGear({ kind })) return false
  return [weapon, armour, ...pack].some((own) => own.kind === kind && own.power >= power)
}

/** Puts an item into the pack, which must have room; returns the key of its slot. */
function putInPack(player: Player, { kind, count, power }: Carried): string {
  const stack = stackFor(player, { kind, count, power })
  if (stack) stack.count += count
  else player.pack.push({ kind, count, power })
  const slot = stack ? player.pack.indexOf(stack) : player.pack.length - 1
  return slotKeys[slot] ?? ''
}
