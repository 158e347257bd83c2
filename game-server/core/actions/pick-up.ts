import { itemName } from '../items/item-name.ts'
import { itemKind } from '../items/kinds.ts'
import { type Scene, tell } from '../scene.ts'
import type { Carried, Pile, Player } from '../world.ts'

/** Slots of a pack, by the keys that use them. */
export const slotKeys: readonly string[] = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '-', '=']

const bitOf = (player: Player): number => 1 << (player.id - 1)

/** Whether a pile still holds something for a player. Everybody finds everything once; nobody takes from another. */
export const isFor = (pile: Pile, player: Player): boolean => (pile.taken & bitOf(player)) === 0

const stacks = (item: Carried): boolean => {
  const { group } = itemKind(item.kind)
  return group === 'potion' || group === 'scroll'
}

/** The stack in the pack that a thing would join. */
const stackFor = (player: Player, item: Carried): Carried | undefined =>
  stacks(item) ? player.pack.find((each) => each.kind === item.kind) : undefined

/** Whether a thing can be carried: gold always can, the rest needs a stack or a free slot. */
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

/** What lies here for the acting player, if anything does. */
export function pileHere({ level, player }: Scene): Pile | undefined {
  const pile = level.piles.get(player.cell)
  return pile && isFor(pile, player) ? pile : undefined
}

/** Takes what lies on the player's cell. A treasury closes for those who have chosen. */
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
    tell(scene, 'gold', `You have a ${itemKind(pile.kind).name} as good; this one fetches ${salvage} gold.`)
  } else {
    makeRoom(scene, pile)
    tell(scene, 'item', `You pick up the ${name} (key ${putInPack(player, pile)}).`)
  }
}

/** Spare gear is thrown out of a full pack for things that are of use only in the pack. */
function makeRoom(scene: Scene, item: Carried): void {
  const { world, player } = scene
  if (player.pack.length < slotKeys.length || stackFor(player, item)) return
  const spare = player.pack.findIndex(isGear)
  for (const left of player.pack.splice(spare, 1))
    tell(scene, 'item', `You leave the ${itemName(world, player, left)} to make room.`)
}

const isGear = ({ kind }: Pick<Carried, 'kind'>): boolean => ['weapon', 'armour'].includes(itemKind(kind).group)

const salvage = 10

/** Gear of which a player has one at least as good is not worth a slot. */
function hasBetter({ weapon, armour, pack }: Player, { kind, power }: Carried): boolean {
  if (!isGear({ kind })) return false
  return [weapon, armour, ...pack].some((own) => own.kind === kind && own.power >= power)
}

/** Puts a thing into the pack, where there must be room; the key it got. */
function putInPack(player: Player, { kind, count, power }: Carried): string {
  const stack = stackFor(player, { kind, count, power })
  if (stack) stack.count += count
  else player.pack.push({ kind, count, power })
  const slot = stack ? player.pack.indexOf(stack) : player.pack.length - 1
  return slotKeys[slot] ?? ''
}
