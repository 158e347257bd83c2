import { altarKinds } from '../altar-kinds.ts'
import { cure } from '../effects/potions.ts'
import { identifyPack, improve } from '../effects/scrolls.ts'
import { afflict, heal } from '../hurt-player.ts'
import { knownOn, reveal } from '../known-cells.ts'
import { below } from '../prng.ts'
import { type Scene, tell } from '../scene.ts'
import type { Altar } from '../world.ts'

const price = 60

/** The altar under the player, if this player has not used it yet. */
function altarHere({ level, player }: Scene): Altar | undefined {
  const altar = level.altars.get(player.cell)
  return altar && (altar.taken & (1 << (player.id - 1))) === 0 ? altar : undefined
}

/** Why the player cannot use an altar now; undefined when they can. */
export function findObjection(scene: Scene): string | undefined {
  const altar = altarHere(scene)
  if (!altar) return 'No altar here has anything to say to you.'
  const id = altarKinds[altar.kind]?.id
  if (id === 'coin' && scene.player.gold < price) return `The altar wants ${price} gold. You are not that kind of rich.`
  if (id === 'blood' && scene.player.maxHp <= 12) return 'The altar looks you over and shakes its head.'
  return undefined
}

/** Uses the altar, once for each player. Returns the turns spent. */
export function commune(scene: Scene): number {
  const { player } = scene
  const objection = findObjection(scene)
  const altar = altarHere(scene)
  if (objection !== undefined || !altar) {
    tell(scene, 'info', objection ?? '')
    return 0
  }
  altar.taken |= 1 << (player.id - 1)
  const id = altarKinds[altar.kind]?.id ?? 'chance'
  switch (id) {
    case 'blood':
      player.maxHp -= 6
      player.hp = Math.min(player.hp, player.maxHp)
      improve(scene, player.weapon)
      improve(scene, player.armour)
      break
    case 'coin':
      player.gold -= price
      cure(player)
      heal(scene, player.maxHp)
      identifyPack(scene)
      tell(scene, 'use', 'The coins fall for a long time. You feel attended to.')
      break
    case 'memory':
      knownOn(player, player.depth).fill(0)
      reveal(scene.level, player)
      player.maxHp += 5
      heal(scene, 5)
      tell(scene, 'use', 'Where are you? It does not matter. You feel well.')
      break
    case 'chance':
      takeAChance(scene)
  }
  return 1
}

function takeAChance(scene: Scene): void {
  const { player } = scene
  switch (below(player.dice, 6)) {
    case 0:
      player.strength += 1
      tell(scene, 'use', 'The altar approves. You feel stronger.')
      return
    case 1:
      improve(scene, player.weapon)
      return
    case 2:
      improve(scene, player.armour)
      return
    case 3:
      heal(scene, player.maxHp)
      tell(scene, 'use', 'The altar is in a good mood. You are whole.')
      return
    case 4:
      afflict(scene, 'blind', 15)
      return
    default:
      afflict(scene, 'poisoned', 8)
  }
}
