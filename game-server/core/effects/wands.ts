import { distance } from '../grid.ts'
import { hurtMonster } from '../hurt-monster.ts'
import { heal } from '../hurt-player.ts'
import { livesUnder, monsterKind, monsterKinds, oneOf } from '../monsters/kinds.ts'
import { spawn } from '../monsters/spawn.ts'
import { disengage, engage, freeCellAnywhere, freeCellNear, moveMonster } from '../place.ts'
import { below, between } from '../prng.ts'
import { type Scene, show, tell } from '../scene.ts'
import type { Monster } from '../world.ts'

type Zap = (scene: Scene, monster: Monster) => void

const nameOf = (monster: Monster): string => monsterKind(monster.kind).name

/** Turns a monster into a random ambient walking kind from within two depths of this one. */
const change: Zap = (scene, monster) => {
  const { world, level, player } = scene
  const was = nameOf(monster)
  const able = monsterKinds.flatMap((kind, number) => {
    const isNear = kind.from <= level.depth + 2 && kind.to >= level.depth - 2
    return kind.post === 'ambient' && kind.gait === 'walks' && isNear && livesUnder(world.rules, kind) ? [number] : []
  })
  monster.kind = able[below(player.dice, able.length)] ?? monster.kind
  monster.hp = monsterKind(monster.kind).hp
  monster.isSpent = false
  for (const hunt of monster.hunts) hunt.mark = 0
  monster.isHidden = false
  engage(monster, player)
  show(scene, 'magic', monster.cell, `The ${was} is ${oneOf(monsterKind(monster.kind))} now.`)
}

const away: Zap = (scene, monster) => {
  show(scene, 'magic', monster.cell, `The ${nameOf(monster)} is elsewhere.`)
  moveMonster(scene.level, monster, freeCellAnywhere(scene))
  disengage(monster, scene.player)
}

const flame: Zap = (scene, monster) => {
  const { level, player } = scene
  const struck = level.monsters.filter((other) => !other.isHidden && distance(other.cell, monster.cell) <= 1)
  for (const other of struck) hurtMonster(scene, other, between(player.dice, 6, 11), `Flames lick the ${nameOf(other)}`)
}

const twins: Zap = (scene, monster) => {
  const { world, level, player } = scene
  const twin = spawn(world, level, monster.kind, freeCellNear(level, monster.cell), 'hunting')
  twin.hp = monster.hp
  twin.isHidden = false
  engage(monster, player)
  engage(twin, player)
  show(scene, 'magic', monster.cell, `There are two of the ${nameOf(monster)}. They look alike.`)
}

/** The effect of each wand on its target. */
export const wands: Record<string, Zap> = {
  force: (scene, monster) => {
    hurtMonster(scene, monster, between(scene.player.dice, 9, 16), `A fist of air hits the ${nameOf(monster)}`)
  },
  sloth: (scene, monster) => {
    engage(monster, scene.player)
    monster.slowed = 30
    tell(scene, 'magic', `The ${nameOf(monster)} loses its drive.`)
  },
  change,
  away,
  flame,
  frost: (scene, monster) => {
    hurtMonster(scene, monster, 3, `Frost takes the ${nameOf(monster)}`)
    monster.stunned = 8
  },
  leech: (scene, monster) => {
    const taken = Math.min(monster.hp, between(scene.player.dice, 6, 12))
    hurtMonster(scene, monster, taken, `Life leaves the ${nameOf(monster)}`)
    heal(scene, taken)
  },
  twins,
}
