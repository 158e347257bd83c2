import { distance, offsets } from './grid.ts'
import { afflict, hurtPlayer } from './hurt-player.ts'
import { type MonsterKind, monsterKind } from './monsters/kinds.ts'
import { spawn } from './monsters/spawn.ts'
import { engage, freeCellNear, isFree } from './place.ts'
import { between } from './prng.ts'
import { type Scene, show } from './scene.ts'
import type { Monster } from './world.ts'

/**
 * Damages a monster on behalf of the acting player, whom it hunts from then on. `text` (for others) and `you` (for the
 * player) tell how, without the full stop. Returns whether it died.
 */
export function hurtMonster(scene: Scene, monster: Monster, amount: number, text: string, you = text): boolean {
  const { level, player } = scene
  const kind = monsterKind(monster.kind)
  monster.isHidden = false
  engage(monster, player)
  if (kind.isStone) {
    show(scene, 'miss', monster.cell, `${text}. Stone does not mind.`, `${you}. Stone does not mind.`)
    return false
  }
  monster.hp -= amount
  if (monster.hp > 0) {
    show(scene, 'hit', monster.cell, `${text} for ${amount}.`, `${you} for ${amount}.`)
    if (kind.remains === 'splits') split(scene, monster, kind)
    return false
  }
  if (kind.remains === 'rises' && !monster.isSpent) {
    monster.isSpent = true
    monster.hp = Math.ceil(kind.hp / 2)
    monster.stunned = 4
    show(
      scene,
      'hit',
      monster.cell,
      `${text}; the bones fall apart, and begin to sort themselves.`,
      `${you}; the bones fall apart, and begin to sort themselves.`,
    )
    return false
  }
  level.occupants[monster.cell] = 0
  level.monsters.splice(level.monsters.indexOf(monster), 1)
  player.kills++
  show(
    scene,
    'kill',
    monster.cell,
    `${text}, and the ${kind.name} is no more.`,
    `${you}, and the ${kind.name} is no more.`,
  )
  leaveRemains(scene, monster, kind)
  return true
}

/** Splits a monster: half of its health goes to a new one beside it, which hunts the player, too. */
function split(scene: Scene, monster: Monster, kind: MonsterKind): void {
  const { world, level, player } = scene
  const side = offsets.find((offset) => isFree(level, monster.cell + offset))
  if (side === undefined || monster.hp < 2) return
  const half = spawn(world, level, monster.kind, monster.cell + side, 'hunting')
  half.hp = Math.floor(monster.hp / 2)
  monster.hp -= half.hp
  engage(half, player)
  show(scene, 'split', monster.cell, `The ${kind.name} is two now.`)
}

function leaveRemains(scene: Scene, monster: Monster, kind: MonsterKind): void {
  const { level, player } = scene
  const isNear = distance(monster.cell, player.cell) <= 1
  for (const loot of monster.loot) {
    const cell = level.piles.has(monster.cell) ? freeCellNear(level, monster.cell) : monster.cell
    if (!level.piles.has(cell))
      level.piles.set(cell, { ...loot, taken: 0xffff & ~(1 << (monster.owner - 1)), vault: 0 })
  }
  if (kind.remains === 'spores') {
    show(scene, 'burst', monster.cell, 'It bursts into spores.')
    if (isNear) afflict(scene, 'poisoned', 6)
  }
  if (kind.remains === 'blast') {
    show(scene, 'burst', monster.cell, 'It goes off.')
    if (isNear) hurtPlayer(scene, between(player.dice, 6, 12), `blown up by a ${kind.name}`)
  }
}
