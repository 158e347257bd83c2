import { getLevel } from './get-level.ts'
import { distance } from './grid.ts'
import { hurtPlayer } from './hurt-player.ts'
import { monsterKind } from './monsters/kinds.ts'
import { endFights, engage, freeCellBelow, freeCellNear, isEngaged, liftPlayer, putPlayer } from './place.ts'
import { quoteWords } from './player-words.ts'
import { type Scene, show, tell } from './scene.ts'
import type { Level, Monster } from './world.ts'

/** Told when a player first reaches each depth. */
const places: readonly string[] = [
  'the cellars. Barrels, mostly empty.',
  'more cellars. Somebody kept things here that were not wine.',
  'the crypts. The water got in first.',
  'the deep crypts. An Alderman holds office here, in perpetuity.',
  'the caves. It grows.',
  'the lower caves. It has grown.',
  'the works. Whatever they made here is finished, or not.',
  'the great works. The Foreman never heard the bell.',
  'the warrens. Every turn looks like the last one, and is.',
  'the chasm halls. Mind the floor, where there is one.',
  'the last halls. Some of those who fell are still falling.',
  'the Undercroft. The Amulet is here. So is the Tallyman.',
]

/** Goes to another level, near a cell of it. Neighbouring monsters that hunt only this player follow. */
export function changeLevel(scene: Scene, depth: number, near: (level: Level) => number): void {
  const { world, player } = scene
  const from = scene.level
  const followers = from.monsters.filter((monster) => follows(monster, scene))
  const isFirst = depth > player.deepest
  const { cell } = player
  const name = quoteWords(player.name)
  scene.events.push({ to: 0, kind: 'leave', text: `${name} goes to depth ${depth}.`, depth: from.depth, cell })
  endFights(world, player)
  liftPlayer(world, player)
  scene.level = putPlayer(world, player, depth, near(getLevel(world, depth)))
  const told = `You come to depth ${depth}${isFirst ? `: ${places[depth - 1]}` : '.'}`
  show(scene, 'depth', player.cell, `${name} comes from depth ${from.depth}.`, told)
  for (const monster of followers) {
    from.occupants[monster.cell] = 0
    from.monsters.splice(from.monsters.indexOf(monster), 1)
    monster.cell = freeCellNear(scene.level, player.cell)
    scene.level.monsters.push(monster)
    scene.level.occupants[monster.cell] = monster.id
    engage(monster, player)
    show(scene, 'notice', monster.cell, `The ${monsterKind(monster.kind).name} comes along.`)
  }
}

function follows(monster: Monster, { player }: Scene): boolean {
  const { gait, isStone, isUnique } = monsterKind(monster.kind)
  if (gait === 'rooted' || gait === 'swims' || gait === 'burrows' || isStone || isUnique) return false
  if (monster.stunned > 0 || monster.scared > 0 || distance(monster.cell, player.cell) > 1) return false
  return isEngaged(monster, player) && monster.hunts.length === 1
}

/** Falls one level down, to a free cell near the same position. */
export function fall(scene: Scene): void {
  const { player } = scene
  const { cell } = player
  changeLevel(scene, player.depth + 1, (level) => freeCellBelow(level, cell))
  tell(scene, 'hurt', 'You land badly.')
  hurtPlayer(scene, 3, 'killed by a fall')
}
