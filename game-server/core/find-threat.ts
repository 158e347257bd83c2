import { distance } from './grid.ts'
import { isThreat, isVisible } from './monsters/is-visible.ts'
import { monsterKind } from './monsters/kinds.ts'
import { sightOf } from './sight.ts'
import type { Level, Monster, Player } from './world.ts'

/** The nearest awake enemy that a player sees; while there is one, actions of many turns are not possible. */
export function findThreat(level: Level, player: Player): Monster | undefined {
  const sight = sightOf(level, player)
  let nearest: Monster | undefined
  for (const monster of level.monsters) {
    if (!isThreat(monster) || sight.lit[monster.cell] !== 1 || !isVisible(monster, player, sight)) continue
    if (!nearest || distance(monster.cell, player.cell) < distance(nearest.cell, player.cell)) nearest = monster
  }
  return nearest
}

/** The target of a shot or a wand: the nearest awake enemy in sight, else the nearest one that is not of stone. */
export function findTarget(level: Level, player: Player): Monster | undefined {
  const threat = findThreat(level, player)
  if (threat) return threat
  const sight = sightOf(level, player)
  let nearest: Monster | undefined
  for (const monster of level.monsters) {
    if (monsterKind(monster.kind).isStone || sight.lit[monster.cell] !== 1 || !isVisible(monster, player, sight))
      continue
    if (!nearest || distance(monster.cell, player.cell) < distance(nearest.cell, player.cell)) nearest = monster
  }
  return nearest
}
