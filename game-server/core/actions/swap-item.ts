import { itemName } from '../items/item-name.ts'
import { type Scene, tell } from '../scene.ts'
import { hasRoom, pickUp, pileHere } from './pick-up.ts'
import { leastWorth } from './use-slot.ts'

/** Whether an item lies here that the pack has no room for. */
export function canSwap(scene: Scene): boolean {
  const pile = pileHere(scene)
  return pile !== undefined && !hasRoom(scene.player, pile)
}

/** Destroys the least valuable item of the pack and takes the one that lies here. Returns the turns spent. */
export function swapItem(scene: Scene): number {
  const { world, player } = scene
  const slot = leastWorth(player)
  const item = player.pack[slot]
  if (!canSwap(scene) || !item) {
    tell(scene, 'info', 'There is nothing to swap: walk onto things to take them.')
    return 0
  }
  player.pack.splice(slot, 1)
  tell(scene, 'item', `You throw away the ${itemName(world, player, item)}. The dungeon keeps it.`)
  pickUp(scene)
  return 1
}
