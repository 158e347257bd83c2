import { afflict, hurtPlayer } from '../hurt-player.ts'
import { quoteWords } from '../player-words.ts'
import { between } from '../prng.ts'
import { type Scene, show, tell } from '../scene.ts'
import { turnsOf } from '../status.ts'
import type { Hunt, Monster } from '../world.ts'
import { type Act, gap, isSeen } from './act.ts'
import { oneOf } from './kinds.ts'

/** Announces an attack, and resets the energy, so that the player has at least one action before it. */
function warn(scene: Scene, monster: Monster, hunt: Hunt, text: string): true {
  hunt.energy = 0
  show(scene, 'warning', monster.cell, text)
  return true
}

/** Warns, and paralyses a player who is still in sight on its next turn. */
export const gazes: Act = (scene, monster, kind, hunt) => {
  const { player } = scene
  if (!isSeen(scene, monster)) {
    hunt.mark = 0
    return false
  }
  if (hunt.mark === 0) {
    hunt.mark = 6
    return warn(scene, monster, hunt, `The ${kind.name}'s great eye begins to open. Best not to be seen by it.`)
  }
  hunt.mark--
  if (hunt.mark !== 5 || turnsOf(player, 'paralysed') > 0) return false
  tell(scene, 'magic', `The ${kind.name} looks at you.`)
  afflict(scene, 'paralysed', 3)
  return true
}

/** Warns when adjacent, and explodes on its next turn if the player is still adjacent. */
export const bursts: Act = (scene, monster, kind, hunt) => {
  const { level, player } = scene
  if (gap(scene, monster) > 1) {
    hunt.mark = 0
    return false
  }
  if (hunt.mark === 0) {
    hunt.mark = 1
    return warn(scene, monster, hunt, `The ${kind.name} hisses and glows.`)
  }
  level.occupants[monster.cell] = 0
  level.monsters.splice(level.monsters.indexOf(monster), 1)
  monster.hp = 0
  show(scene, 'burst', monster.cell, `The ${kind.name} goes off.`)
  hurtPlayer(scene, between(player.dice, 8, 14), `blown up by ${oneOf(kind)}`)
  return true
}

/** Warns when adjacent, and on its next turn deals about three times its damage if the player is still adjacent. */
export const slams: Act = (scene, monster, kind, hunt) => {
  const { player } = scene
  if (gap(scene, monster) > 1) {
    hunt.mark = 0
    return false
  }
  if (hunt.mark === 0) {
    hunt.mark = 1
    return warn(scene, monster, hunt, `The ${kind.name} raises both fists.`)
  }
  hunt.mark = 0
  const damage = between(player.dice, 14, 22)
  show(
    scene,
    'hurt',
    player.cell,
    `The ${kind.name} slams ${quoteWords(player.name)} for ${damage}.`,
    `The ${kind.name} slams you for ${damage}.`,
  )
  hurtPlayer(scene, damage, `flattened by ${oneOf(kind)}`)
  return true
}
