import { distance } from './grid.ts'
import { isThreat, isVisible } from './monsters/is-visible.ts'
import { monsterKind } from './monsters/kinds.ts'
import { sightOf } from './sight.ts'
import type { Level, Monster, Player } from './world.ts'

/** The nearest awake enemy a player sees; while there is one, nothing is done by the dozen. */
export function findThreat(level: Level, player: Player): Monster | undefined {
  const sight = sightOf(level, player)
  let nearest: Monster | undefined
  for (const monster of level.monsters) {
    if (!isThreat(monster) || sight.lit[monster.cell] !== 1 || !isVisible(monster, player, sight)) continue
    if (!nearest || distance(monster.cell, player.cell) < distance(nearest.cell, player.cell)) nearest = monster
  }
  return nearest
}

/** The nearest enemy in sight, awake if any is, that a shot or a wand would go to. Nobody aims at stone. */
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
