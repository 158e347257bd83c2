import { distance } from '../grid.ts'
import type { Scene } from '../scene.ts'
import { sightOf } from '../sight.ts'
import type { Hunt, Monster } from '../world.ts'
import type { MonsterKind } from './kinds.ts'

/** Does something other than walk up and hit; false if now is not the time. */
export type Act = (scene: Scene, monster: Monster, kind: MonsterKind, hunt: Hunt) => boolean

/** Whether the one who acts and the monster see each other. */
export const isSeen = ({ level, player }: Scene, monster: Monster): boolean =>
  sightOf(level, player).lit[monster.cell] === 1

/** Steps between the two. */
export const gap = ({ player }: Scene, monster: Monster): number => distance(monster.cell, player.cell)
