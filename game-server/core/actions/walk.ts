import { changeTile } from '../change-tile.ts'
import { distance, offsetOf } from '../grid.ts'
import { reveal } from '../known-cells.ts'
import { isThreat, monsterAt } from '../monsters/is-visible.ts'
import { monsterKind } from '../monsters/kinds.ts'
import { engage, movePlayer } from '../place.ts'
import { below, chance } from '../prng.ts'
import { type Scene, show, tell } from '../scene.ts'
import { setTurns, turnsOf } from '../status.ts'
import { isPassable, T, tiles } from '../tiles.ts'
import { getPlayer, isAlive, type Level, type Player } from '../world.ts'
import { attack } from './attack.ts'
import { fall } from './change-level.ts'
import { pickUp } from './pick-up.ts'
import { springTrap } from './spring-trap.ts'

/** Where a step into another player leads: to their place, past them, or nowhere. */
export type Passing = { is: 'swap' } | { is: 'past'; cell: number } | { is: 'no' }

/**
 * Nobody is in anybody's way, and nobody can be pushed into a fight: with something awake close by, one squeezes past
 * instead of changing places.
 */
export function findPassing(level: Level, player: Player, other: Player): Passing {
  const isTense = level.monsters.some(
    (monster) =>
      isThreat(monster) && (distance(monster.cell, player.cell) <= 2 || distance(monster.cell, other.cell) <= 2),
  )
  const mine = level.tiles[player.cell]
  if (!isTense && mine !== T.deepWater && mine !== T.knownTrap && mine !== T.chasm) return { is: 'swap' }
  const beyond = other.cell + (other.cell - player.cell)
  const isOpen = isPassable(level.tiles[beyond]) && level.tiles[beyond] !== T.chasm && level.occupants[beyond] === 0
  return isOpen ? { is: 'past', cell: beyond } : { is: 'no' }
}

/** One step, or a blow if somebody is there. Turns spent: 0 where nothing could be done. */
export function walk(scene: Scene, direction: number): number {
  const { level, player } = scene
  if (turnsOf(player, 'stuck') > 0) return struggle(scene)
  const isLost = turnsOf(player, 'confused') > 0 && chance(player.dice, 50)
  const cell = player.cell + offsetOf(isLost ? below(player.dice, 8) : direction)
  const monster = monsterAt(level, cell)
  if (monster?.isHidden && monsterKind(monster.kind).hides !== 'always') {
    monster.isHidden = false
    engage(monster, player)
    const { name } = monsterKind(monster.kind)
    show(scene, 'notice', cell, `${player.name} finds a ${name}.`, `That is no ordinary thing. That is a ${name}!`)
    return 1
  }
  if (monster) {
    attack(scene, monster)
    return 1
  }
  if (!isPassable(level.tiles[cell])) {
    if (isLost) tell(scene, 'bump', 'You walk into something hard.')
    else tell(scene, 'bump', `There is a ${tileName(level.tiles[cell])} in the way.`)
    return isLost ? 1 : 0
  }
  const occupant = level.occupants[cell] ?? 0
  return occupant < 0 ? pass(scene, getPlayer(scene.world, -occupant)) : enter(scene, cell)
}

const tileName = (tile: number | undefined): string => tiles[tiles[tile ?? 0]?.looksLike ?? tile ?? 0]?.name ?? 'wall'

function struggle(scene: Scene): number {
  const { player } = scene
  const left = Math.max(0, turnsOf(player, 'stuck') - 1)
  setTurns(player, 'stuck', left)
  tell(scene, 'info', left > 0 ? 'You pull at what holds you.' : 'You tear yourself free.')
  return 1
}

function pass(scene: Scene, other: Player): number {
  const { level, player } = scene
  const passing = findPassing(level, player, other)
  if (passing.is === 'no') {
    tell(scene, 'info', `There is no room to pass ${other.name}, and something is close by.`)
    return 0
  }
  if (passing.is === 'past') return enter(scene, passing.cell)
  const cell = other.cell
  other.cell = player.cell
  level.occupants[player.cell] = -other.id
  player.cell = cell
  level.occupants[cell] = -player.id
  reveal(level, other)
  return arrive(scene)
}

function enter(scene: Scene, cell: number): number {
  movePlayer(scene, cell)
  return arrive(scene)
}

/** What the ground does to whoever comes to stand on it. */
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
