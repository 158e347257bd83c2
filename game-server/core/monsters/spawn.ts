import type { Level, Monster, Mood, World } from '../world.ts'
import { monsterKind } from './kinds.ts'

/** Puts a monster on a free cell of a level. */
export function spawn(world: World, level: Level, kind: number, cell: number, mood: Mood): Monster {
  const { hp, hides } = monsterKind(kind)
  const monster: Monster = {
    id: world.nextMonster++,
    kind,
    cell,
    home: cell,
    hp,
    mood,
    hunts: [],
    isHidden: hides !== undefined,
    stunned: 0,
    scared: 0,
    slowed: 0,
    isSpent: false,
    loot: [],
    owner: 0,
  }
  level.monsters.push(monster)
  level.occupants[cell] = monster.id
  return monster
}
