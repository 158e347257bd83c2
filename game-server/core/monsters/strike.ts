import { hurtMonster } from '../hurt-monster.ts'
import { afflict, hurtPlayer } from '../hurt-player.ts'
import { guardOf } from '../items/gear.ts'
import { itemName } from '../items/item-name.ts'
import { itemKind } from '../items/kinds.ts'
import { quoteWords } from '../player-words.ts'
import { below, between, chance } from '../prng.ts'
import { type Scene, show, tell } from '../scene.ts'
import { isAlive, type Monster } from '../world.ts'
import { type MonsterKind, oneOf } from './kinds.ts'

/** One hit or shot at the acting player; `verb` is "hits" or the like. Returns whether it hit. */
export function strike(scene: Scene, _monster: Monster, kind: MonsterKind, verb = 'hits'): boolean {
  const { player } = scene
  if (!chance(player.dice, kind.aim - guardOf(player.armour, player.strength))) {
    tell(scene, 'dodge', `The ${kind.name} misses you.`)
    return false
  }
  const damage = between(player.dice, kind.damage[0], kind.damage[1])
  show(
    scene,
    'hurt',
    player.cell,
    `The ${kind.name} ${verb} ${quoteWords(player.name)} for ${damage}.`,
    `The ${kind.name} ${verb} you for ${damage}.`,
  )
  hurtPlayer(scene, damage, `killed by ${oneOf(kind)}`)
  return true
}

/** A hit from an adjacent cell, with its effects on the player, and on the monster by a coat of thorns. */
export function strikeBeside(scene: Scene, monster: Monster, kind: MonsterKind): void {
  if (!strike(scene, monster, kind) || !isAlive(scene.player)) return
  envenom(scene, monster, kind)
  if (itemKind(scene.player.armour.kind).id === 'thorns')
    hurtMonster(scene, monster, 2 + Math.max(0, scene.player.armour.power), `The thorns prick the ${kind.name}`)
}

function envenom(scene: Scene, monster: Monster, kind: MonsterKind): void {
  const { player } = scene
  switch (kind.venom) {
    case undefined:
      return
    case 'poisons':
      if (chance(player.dice, 50)) afflict(scene, 'poisoned', 5)
      return
    case 'chills':
      if (chance(player.dice, 35)) afflict(scene, 'slowed', 3)
      return
    case 'drains':
      monster.hp = Math.min(kind.hp, monster.hp + 4)
      return
    case 'corrodes':
      if (player.armour.power <= -3 || !chance(player.dice, 50)) return
      player.armour.power--
      tell(scene, 'loss', 'Your armour hisses and thins.')
      return
    case 'steals':
      steal(scene, monster, kind)
      return
  }
}

/** Steals one item from the acting player's pack, and flees. */
function steal({ world, player, ...scene }: Scene, monster: Monster, kind: MonsterKind): void {
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
