import { itemName } from '../items/item-name.ts'
import { below } from '../prng.ts'
import { type Scene, tell } from '../scene.ts'
import type { Monster } from '../world.ts'
import type { MonsterKind } from './kinds.ts'

/** Takes one thing from the pack of the one who acts, and wants nothing more but to be gone. */
export function steal({ world, player, ...scene }: Scene, monster: Monster, kind: MonsterKind): void {
  if (monster.loot.length > 0 || player.pack.length === 0) return
  const slot = below(player.dice, player.pack.length)
  const item = player.pack[slot]
  if (!item) return
  const taken = { ...item, count: 1 }
  item.count--
  if (item.count === 0) player.pack.splice(slot, 1)
  monster.loot.push(taken)
  monster.owner = player.id
  monster.scared = 60
  tell({ world, player, ...scene }, 'loss', `The ${kind.name} takes your ${itemName(world, player, taken)} and runs.`)
}
