import { distance } from '../grid.ts'
import type { Scene } from '../scene.ts'
import { sightOf } from '../sight.ts'
import type { Hunt, Monster } from '../world.ts'
import type { MonsterKind } from './kinds.ts'

/** A special action of a monster, in place of walking and hitting; false if it does not happen now. */
export type Act = (scene: Scene, monster: Monster, kind: MonsterKind, hunt: Hunt) => boolean

/** Whether the acting player and the monster see each other. */
export const isSeen = ({ level, player }: Scene, monster: Monster): boolean =>
  sightOf(level, player).lit[monster.cell] === 1

/** The distance between the monster and the acting player, in steps. */
export const gap = ({ player }: Scene, monster: Monster): number => distance(monster.cell, player.cell)
