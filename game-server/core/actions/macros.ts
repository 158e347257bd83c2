import { findPath } from '../find-path.ts'
import { findThreat } from '../find-threat.ts'
import { directionTo } from '../grid.ts'
import { isKnown, knownOn } from '../known-cells.ts'
import { monsterKind, oneOf } from '../monsters/kinds.ts'
import { passTurn } from '../pass-turn.ts'
import { type Scene, tell } from '../scene.ts'
import { searchAround } from '../search.ts'
import { ailments, turnsOf } from '../status.ts'
import { isAlive, type Player } from '../world.ts'
import { isWanted, isWorthALook } from './goals.ts'
import { walk } from './walk.ts'

const mostSteps = 200
const mostRest = 100
const turnsOfSearch = 5

/** Passes turns for the acting player until they die; returns `turns`. */
export function spend(scene: Scene, turns: number): number {
  for (let i = 0; i < turns && isAlive(scene.player); i++) passTurn(scene)
  return turns
}

/** Whether an enemy in view forbids actions of many turns; the player is told which. */
function isWatched(scene: Scene): boolean {
  const threat = findThreat(scene.level, scene.player)
  if (threat) tell(scene, 'info', `Not with ${oneOf(monsterKind(threat.kind))} in view.`)
  return threat !== undefined
}

export const hasAilment = (player: Player): boolean => ailments.some((ailment) => turnsOf(player, ailment) > 0)

function belongings(player: Player): number {
  return player.pack.reduce((sum, { count }) => sum + 1000 + count, player.gold * 100_000)
}

/** A number that changes with every cell that a player comes to know. */
function knowledge(player: Player): number {
  let sum = 0
  for (const word of knownOn(player, player.depth)) sum += word
  return sum
}

/** Returns a function that tells whether something has happened for which a player would stop. */
function makeWatch(scene: Scene): () => boolean {
  const { player } = scene
  const { depth } = player
  const owned = belongings(player)
  const wasIll = hasAilment(player)
  let { hp } = player
  return () => {
    const isHurt = player.hp < hp
    hp = player.hp
    if (!isAlive(player) || isHurt || player.depth !== depth || belongings(player) !== owned) return true
    return (!wasIll && hasAilment(player)) || findThreat(scene.level, player) !== undefined
  }
}

type FindCells = () => { cells: number[]; isBarred: boolean }

/** Walks a path until it ends or something happens; the path is searched again whenever new cells become known. */
function follow(scene: Scene, find: FindCells, most: number): number {
  const { player } = scene
  const isDisturbed = makeWatch(scene)
  let spent = 0
  let { cells } = find()
  for (let next = 0; spent < most; ) {
    const cell = cells[next]
    if (cell === undefined) break
    const before = knowledge(player)
    const cost = walk(scene, directionTo(player.cell, cell))
    if (cost === 0) break
    spent += spend(scene, cost)
    if (isDisturbed() || player.cell !== cell) break
    next++
    if (knowledge(player) === before) continue
    cells = find().cells
    next = 0
  }
  return spent
}

/** Walks to the nearest unexplored cell or item, and on from there, until something happens. */
export function explore(scene: Scene): number {
  if (isWatched(scene)) return 0
  const find = () => findPath(scene.level, scene.player, isWorthALook(scene.level, scene.player))
  const first = find()
  if (first.cells.length > 0) return follow(scene, find, mostSteps)
  tell(
    scene,
    'info',
    first.isBarred
      ? 'Somebody is asleep in the only way onward.'
      : 'Nothing left to explore here. Press > to travel to the stairs, or S to search for what is hidden.',
  )
  return 0
}

/** Walks to the nearest item worth carrying. */
export function goToItem(scene: Scene): number {
  if (isWatched(scene)) return 0
  const find = () => findPath(scene.level, scene.player, isWanted(scene.level, scene.player))
  if (find().cells.length > 0) return follow(scene, find, mostSteps)
  tell(scene, 'info', 'Nothing that you know of is left to fetch here.')
  return 0
}

/** Walks to a known cell; with enemies in view a single step, so that running away works too. */
export function travel(scene: Scene, target: number, name: string): number {
  const { player, level } = scene
  if (target === 0 || !isKnown(knownOn(player, level.depth), target)) {
    tell(scene, 'info', `You have not found ${name} yet.`)
    return 0
  }
  const find = () => findPath(scene.level, scene.player, (cell) => cell === target)
  if (find().cells.length > 0) return follow(scene, find, findThreat(level, player) ? 1 : mostSteps)
  tell(scene, 'info', `You know where ${name} are, but not how to get there.`)
  return 0
}

/** Rests until the player is healthy, or something happens. */
export function rest(scene: Scene): number {
  const { player } = scene
  if (isWatched(scene)) return 0
  if (player.hp >= player.maxHp && !hasAilment(player)) {
    tell(scene, 'info', 'You are as healthy as you can be.')
    return 0
  }
  const isDisturbed = makeWatch(scene)
  let spent = 0
  while (spent < mostRest && (player.hp < player.maxHp || hasAilment(player))) {
    spent += spend(scene, 1)
    if (isDisturbed()) break
  }
  return spent
}

/** Searches for five turns, fewer if something is found or happens. */
export function search(scene: Scene): number {
  if (isWatched(scene)) return 0
  const isDisturbed = makeWatch(scene)
  let spent = 0
  while (spent < turnsOfSearch) {
    const hasFound = searchAround(scene)
    spent += spend(scene, 1)
    if (hasFound || isDisturbed()) return spent
  }
  tell(scene, 'info', 'You look closely. Stone, mostly.')
  return spent
}
