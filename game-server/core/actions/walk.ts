import { fall } from '../change-level.ts'
import { changeTile } from '../change-tile.ts'
import { offsetOf } from '../grid.ts'
import { reveal } from '../known-cells.ts'
import { monsterAt } from '../monsters/is-visible.ts'
import { monsterKind, oneOf } from '../monsters/kinds.ts'
import { engage, movePlayer } from '../place.ts'
import { quoteWords } from '../player-words.ts'
import { below, chance } from '../prng.ts'
import { type Scene, show, tell } from '../scene.ts'
import { setTurns, turnsOf } from '../status.ts'
import { isPassable, T, tiles } from '../tiles.ts'
import { springTrap } from '../traps/spring-trap.ts'
import { isAlive } from '../world.ts'
import { attack } from './attack.ts'
import { pickUp } from './pick-up.ts'

/** A step, or an attack on a monster there; players do not block each other. Returns the turns spent, 0 if blocked. */
export function walk(scene: Scene, direction: number): number {
  const { level, player } = scene
  if (turnsOf(player, 'stuck') > 0) return struggle(scene)
  const aim = player.cell + offsetOf(direction)
  if (!isPassable(level.tiles[aim]) && !monsterAt(level, aim)) {
    tell(scene, 'bump', `There is a ${tileName(level.tiles[aim])} in the way.`)
    return 0
  }
  const isLost = turnsOf(player, 'confused') > 0 && chance(player.dice, 50)
  const cell = isLost ? player.cell + offsetOf(below(player.dice, 8)) : aim
  const monster = monsterAt(level, cell)
  if (monster?.isHidden && monsterKind(monster.kind).hides !== 'always') {
    monster.isHidden = false
    engage(monster, player)
    const found = oneOf(monsterKind(monster.kind))
    show(
      scene,
      'notice',
      cell,
      `${quoteWords(player.name)} finds ${found}.`,
      `That is no ordinary thing. That is ${found}!`,
    )
    return 1
  }
  if (monster) {
    attack(scene, monster)
    return 1
  }
  if (!isPassable(level.tiles[cell])) {
    tell(scene, 'bump', 'You walk into something hard.')
    return 1
  }
  movePlayer(scene, cell)
  return arrive(scene)
}

const tileName = (tile: number | undefined): string => tiles[tiles[tile ?? 0]?.looksLike ?? tile ?? 0]?.name ?? 'wall'

function struggle(scene: Scene): number {
  const { player } = scene
  const left = Math.max(0, turnsOf(player, 'stuck') - 1)
  setTurns(player, 'stuck', left)
  tell(scene, 'info', left > 0 ? 'You pull at what holds you.' : 'You tear yourself free.')
  return 1
}

/** The effects of the cell that the player has stepped on. Returns the turns that the step took. */
function arrive(scene: Scene): number {
  const { level, player } = scene
  const tile = level.tiles[player.cell]
  const isFloating = turnsOf(player, 'floating') > 0
  if (tile === T.tallGrass) changeTile(level, player.cell, T.grass)
  reveal(level, player)
  if (!isFloating && (tile === T.hiddenTrap || tile === T.knownTrap)) springTrap(scene)
  else if (!isFloating && tile === T.chasm) fall(scene)
  if (isAlive(player)) pickUp(scene)
  return tile === T.deepWater && !isFloating ? 2 : 1
}
