import { distance, offsetOf } from '../grid.ts'
import { afflict, hurtPlayer } from '../hurt-player.ts'
import { disengage, engage, findHunt, freeCellNear, isEngaged, isFree, moveMonster } from '../place.ts'
import { quoteWords } from '../player-words.ts'
import { below, between, chance } from '../prng.ts'
import { show, tell } from '../scene.ts'
import { turnsOf } from '../status.ts'
import type { Hunt } from '../world.ts'
import { type Act, gap, isSeen } from './act.ts'
import { type Habit, monsterKind, monsterNumber, oneOf } from './kinds.ts'
import { approach } from './move.ts'
import { spawn } from './spawn.ts'
import { strike } from './strike.ts'
import { bursts, gazes, slams } from './warned-habits.ts'

/** Monsters on a level from which on no more are summoned. */
const mostMonsters = 40

/** Counts down the turns to the next use of a habit; true when it may be used now. */
function isReady(hunt: Hunt, turns: number): boolean {
  if (hunt.mark > 0) {
    hunt.mark--
    return false
  }
  hunt.mark = turns
  return true
}

const shoots: Act = (scene, monster, kind) => {
  if (gap(scene, monster) <= 1 || !isSeen(scene, monster) || !chance(scene.player.dice, 60)) return false
  strike(scene, monster, kind, 'shoots')
  return true
}

/** Heals a hurt monster nearby that hunts the same player. */
const mends: Act = (scene, monster, kind, hunt) => {
  const hurt = scene.level.monsters.find(
    (other) =>
      other !== monster &&
      isEngaged(other, scene.player) &&
      other.hp * 3 < monsterKind(other.kind).hp * 2 &&
      distance(other.cell, monster.cell) <= 6,
  )
  if (!hurt || !isReady(hunt, 2)) return false
  const patient = monsterKind(hurt.kind)
  hurt.hp = Math.min(patient.hp, hurt.hp + 6)
  show(scene, 'magic', monster.cell, `The ${kind.name} mutters, and the ${patient.name} looks better.`)
  return true
}

const summons: Act = (scene, monster, kind, hunt) => {
  const { world, level, player } = scene
  if (!isSeen(scene, monster) || level.monsters.length >= mostMonsters || !isReady(hunt, 9)) return false
  const called = monsterNumber(kind.id === 'Alderman' ? 'goblin' : 'skeleton')
  const cell = freeCellNear(level, monster.cell)
  engage(spawn(world, level, called, cell, 'hunting'), player)
  show(scene, 'magic', monster.cell, `The ${kind.name} calls, and a ${monsterKind(called).name} answers.`)
  return true
}

const webs: Act = (scene, monster, kind, hunt) => {
  const { player } = scene
  if (gap(scene, monster) <= 1 || !isSeen(scene, monster) || turnsOf(player, 'stuck') > 0 || !isReady(hunt, 5))
    return false
  show(
    scene,
    'magic',
    player.cell,
    `The ${kind.name} spits a web over ${quoteWords(player.name)}.`,
    `The ${kind.name} spits a web over you.`,
  )
  afflict(scene, 'stuck', 4)
  return true
}

const breathes: Act = (scene, monster, kind, hunt) => {
  const { player } = scene
  if (gap(scene, monster) > 6 || !isSeen(scene, monster) || !isReady(hunt, 5)) return false
  const damage = between(player.dice, 5, 10)
  show(
    scene,
    'hurt',
    player.cell,
    `The ${kind.name} breathes fire at ${quoteWords(player.name)} for ${damage}.`,
    `The ${kind.name} breathes fire at you for ${damage}.`,
  )
  hurtPlayer(scene, damage, `roasted by ${oneOf(kind)}`)
  afflict(scene, 'burning', 3)
  return true
}

/** Teleports next to the player. */
const blinks: Act = (scene, monster, kind, hunt) => {
  const { level, player } = scene
  if (gap(scene, monster) <= 1 || !isSeen(scene, monster) || !isReady(hunt, 4)) return false
  const cell = player.cell + offsetOf(below(player.dice, 8))
  if (!isFree(level, cell)) return false
  moveMonster(level, monster, cell)
  show(
    scene,
    'magic',
    cell,
    `The ${kind.name} steps out of the air beside ${quoteWords(player.name)}.`,
    `The ${kind.name} steps out of the air beside you.`,
  )
  return true
}

/** Gives energy for more than half a turn to nearby monsters that hunt the same player. */
const drums: Act = (scene, monster, kind, hunt) => {
  const troop = scene.level.monsters.filter(
    (other) => other !== monster && isEngaged(other, scene.player) && distance(other.cell, monster.cell) <= 7,
  )
  if (troop.length === 0 || !isReady(hunt, 3)) return false
  for (const other of troop) {
    const theirs = findHunt(other, scene.player)
    if (theirs) theirs.energy = Math.min(theirs.energy + 60, 160)
  }
  show(scene, 'magic', monster.cell, `The ${kind.name} drums, and they all hurry.`)
  return true
}

const curses: Act = (scene, monster, kind, hunt) => {
  const { player } = scene
  if (!isSeen(scene, monster) || !isReady(hunt, 6)) return false
  tell(scene, 'magic', `The ${kind.name} points at you and says a word.`)
  const curse = (['slowed', 'confused', 'blind'] as const)[below(player.dice, 3)] ?? 'slowed'
  afflict(scene, curse, 4)
  return true
}

/** Acts only when its player has moved. When it no longer sees the player it stops hunting and returns to its post. */
const watches: Act = (scene, monster, kind, hunt) => {
  if (!isSeen(scene, monster)) {
    disengage(monster, scene.player)
    if (monster.hunts.length === 0 && isFree(scene.level, monster.home)) moveMonster(scene.level, monster, monster.home)
    return true
  }
  const hasMoved = hunt.mark !== scene.player.cell
  hunt.mark = scene.player.cell
  if (!hasMoved) return true
  if (gap(scene, monster) > 1) return approach(scene, monster, kind) || true
  return false
}

export const habits: Record<Habit, Act> = {
  shoots,
  mends,
  summons,
  webs,
  gazes,
  breathes,
  blinks,
  drums,
  curses,
  bursts,
  slams,
  watches,
}
