import { charms } from '../effects/charms.ts'
import { potions } from '../effects/potions.ts'
import { scrolls } from '../effects/scrolls.ts'
import { wands } from '../effects/wands.ts'
import { count } from '../epitaph.ts'
import { findTarget } from '../find-threat.ts'
import { isIdentified, itemName } from '../items/item-name.ts'
import { itemKind } from '../items/kinds.ts'
import { type Scene, tell } from '../scene.ts'
import { turnsOf } from '../status.ts'
import type { Carried, Player } from '../world.ts'

/** Why an item cannot be used now; undefined when it can. */
export function findObstacle({ level, player }: Scene, item: Carried): string | undefined {
  switch (itemKind(item.kind).group) {
    case 'scroll':
      return turnsOf(player, 'blind') > 0 ? 'You cannot read in the dark.' : undefined
    case 'wand':
      if (item.power === 0 && isIdentified(player, item.kind)) return 'It is empty.'
      return findTarget(level, player) ? undefined : 'There is nobody to point it at.'
    case 'charm':
      return item.power > 0 ? `It sleeps for ${count(item.power, 'more turn')}.` : undefined
    default:
      return undefined
  }
}

/** Uses the item in a slot of the pack. Returns the turns spent: 0 when it cannot be used. */
export function useSlot(scene: Scene, slot: number): number {
  const { player } = scene
  const item = player.pack[slot]
  if (!item) {
    tell(scene, 'info', 'You carry nothing there.')
    return 0
  }
  const obstacle = findObstacle(scene, item)
  if (obstacle !== undefined) {
    tell(scene, 'info', obstacle)
    return 0
  }
  const { id, group } = itemKind(item.kind)
  switch (group) {
    case 'weapon':
    case 'armour':
      wear(scene, slot, item, group)
      return group === 'armour' ? 3 : 1
    case 'potion':
      consume(scene, slot, item, 'drink')
      potions[id]?.(scene)
      return 1
    case 'scroll':
      consume(scene, slot, item, 'read')
      scrolls[id]?.(scene)
      return 1
    case 'wand':
      zap(scene, item)
      return 1
    case 'charm': {
      const charm = charms[id]
      item.power = charm?.rest ?? 0
      charm?.use(scene)
      return 1
    }
    case 'gold':
    case 'amulet':
      return 0
  }
}

function learn({ player }: Scene, item: Carried): void {
  player.identified[item.kind] = 1
}

/** Uses up one of a stack, identifies its kind, and tells the player. */
function consume(scene: Scene, slot: number, item: Carried, verb: string): void {
  const { world, player } = scene
  const wasKnown = isIdentified(player, item.kind)
  learn(scene, item)
  item.count--
  if (item.count === 0) player.pack.splice(slot, 1)
  const name = itemName(world, player, { ...item, count: 1 })
  tell(scene, 'use', wasKnown ? `You ${verb} the ${name}.` : `You ${verb} it. It is a ${name}.`)
}

function zap(scene: Scene, item: Carried): void {
  const { world, player, level } = scene
  const target = findTarget(level, player)
  if (!target) return
  if (item.power === 0) {
    learn(scene, item)
    tell(scene, 'use', `Click. It is a ${itemName(world, player, item)}.`)
    return
  }
  const wasKnown = isIdentified(player, item.kind)
  item.power--
  learn(scene, item)
  if (!wasKnown) tell(scene, 'use', `It is a ${itemName(world, player, item)}.`)
  wands[itemKind(item.kind).id]?.(scene, target)
}

/** Puts on gear; the gear worn before goes into its slot. */
function wear(scene: Scene, slot: number, item: Carried, place: 'weapon' | 'armour'): void {
  const { world, player } = scene
  player.pack[slot] = player[place]
  player[place] = item
  const verb = place === 'weapon' ? 'take' : 'put on'
  tell(scene, 'use', `You ${verb} the ${itemName(world, player, item)}${place === 'weapon' ? ' in hand' : ''}.`)
}

/** The slot to give up for another item: that of spare gear first, else the last one. */
export function leastWorth(player: Player): number {
  const spare = player.pack.findIndex(({ kind }) => ['weapon', 'armour'].includes(itemKind(kind).group))
  return spare >= 0 ? spare : player.pack.length - 1
}
