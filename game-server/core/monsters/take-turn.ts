import { distance } from '../grid.ts'
import { isEngaged } from '../place.ts'
import { chance } from '../prng.ts'
import type { Scene } from '../scene.ts'
import { sightOf } from '../sight.ts'
import type { Hunt, Monster } from '../world.ts'
import { habits } from './habits.ts'
import { monsterKind } from './kinds.ts'
import { approach, flee, stumble } from './move.ts'
import { strikeBeside } from './strike.ts'

/** One turn of a monster that hunts the acting player. */
export function takeTurn(scene: Scene, monster: Monster, hunt: Hunt): void {
  const { player } = scene
  const kind = monsterKind(monster.kind)
  if (monster.stunned > 0) {
    monster.stunned--
    return
  }
  if (kind.mends) monster.hp = Math.min(kind.hp, monster.hp + kind.mends)
  if (kind.isCoward && monster.hp * 2 < kind.hp && monster.scared === 0 && !monster.isSpent) {
    monster.isSpent = true
    monster.scared = 12
  }
  const gap = distance(monster.cell, player.cell)
  if (kind.gait === 'swims' && gap > 3) monster.isHidden = true
  if (monster.scared > 0) {
    monster.scared--
    if (flee(scene, monster, kind) || gap > 1) return
  }
  if (kind.habit && habits[kind.habit](scene, monster, kind, hunt)) return
  if (chance(player.dice, kind.erratic ?? 0)) {
    stumble(scene, monster, kind)
    return
  }
  const keepsAway = kind.keepsAway === true && (!kind.helps || hasCompany(scene, monster))
  if (gap <= 1) {
    if (keepsAway && chance(player.dice, 40) && flee(scene, monster, kind)) return
    if (kind.aim > 0) strikeBeside(scene, monster, kind)
    return
  }
  if (keepsAway && gap <= 4 && sightOf(scene.level, player).lit[monster.cell] === 1) return
  approach(scene, monster, kind)
}

/** Whether another monster hunts the same player. */
const hasCompany = ({ level, player }: Scene, monster: Monster): boolean =>
  level.monsters.some((other) => other !== monster && isEngaged(other, player))
