import { getLevel } from './get-level.ts'
import { cellCount, distance, offsets } from './grid.ts'
import { reveal } from './known-cells.ts'
import { below } from './prng.ts'
import type { Scene } from './scene.ts'
import { isPassable, T } from './tiles.ts'
import type { Hunt, Level, Monster, Player, World } from './world.ts'

/** Whether a player or monster can be put on this tile without harm. */
const isSolidGround = (tile: number | undefined): boolean =>
  isPassable(tile) && tile !== T.deepWater && tile !== T.chasm && tile !== T.hiddenTrap && tile !== T.knownTrap

export const isFree = (level: Level, cell: number): boolean =>
  isSolidGround(level.tiles[cell]) && level.occupants[cell] === 0

const queue = new Int16Array(cellCount)
const isSeen = new Uint8Array(cellCount)

/** The nearest free cell by steps; the cell itself if it is free. */
export function freeCellNear(level: Level, cell: number): number {
  isSeen.fill(0)
  isSeen[cell] = 1
  queue[0] = cell
  let tail = 1
  for (let head = 0; head < tail; head++) {
    const here = queue[head] ?? 0
    if (isFree(level, here)) return here
    for (const offset of offsets) {
      const next = here + offset
      if (isSeen[next] === 1 || !isPassable(level.tiles[next])) continue
      isSeen[next] = 1
      queue[tail++] = next
    }
  }
  return cell
}

/** The landing cell of a fall: the nearest free ground as the crow flies, outside treasuries. */
export function freeCellBelow(level: Level, cell: number): number {
  let nearest = freeCellNear(level, level.up)
  for (let ground = 0; ground < cellCount; ground++) {
    if (distance(ground, cell) >= distance(nearest, cell) || level.treasuries.has(ground)) continue
    if (isFree(level, ground)) nearest = ground
  }
  return nearest
}

/** A random free cell of the level outside treasuries. */
export function freeCellAnywhere({ level, player }: Scene): number {
  for (let tries = 0; tries < 200; tries++) {
    const cell = below(player.dice, cellCount)
    if (isFree(level, cell) && !level.treasuries.has(cell)) return cell
  }
  return freeCellNear(level, level.up)
}

/** Puts a player on a level, on the free cell nearest to `cell`. */
export function putPlayer(world: World, player: Player, depth: number, cell: number): Level {
  const level = getLevel(world, depth)
  const free = freeCellNear(level, cell)
  player.depth = depth
  player.cell = free
  player.deepest = Math.max(player.deepest, depth)
  occupy(level, player)
  reveal(level, player)
  return level
}

/** Takes a player off the map; monsters that hunt them keep doing so. */
export function liftPlayer(world: World, player: Player): void {
  vacate(world, getLevel(world, player.depth), player)
}

/** Marks a player's cell as occupied. Players may share a cell, which then has the lowest of their numbers. */
export function occupy(level: Level, player: Player): void {
  const other = level.occupants[player.cell] ?? 0
  level.occupants[player.cell] = other < 0 ? Math.max(other, -player.id) : -player.id
}

function vacate(world: World, level: Level, player: Player): void {
  level.occupants[player.cell] = 0
  for (const other of world.players.values()) {
    const isHere = other.isHere && other.ending === '' && other.depth === level.depth && other.cell === player.cell
    if (other !== player && isHere) occupy(level, other)
  }
}

/** Makes all monsters on a player's level stop hunting them. */
export function endFights(world: World, player: Player): void {
  for (const monster of getLevel(world, player.depth).monsters) disengage(monster, player)
}

/** Moves a player on their level; no monster may stand there. */
export function movePlayer({ world, level, player }: Scene, cell: number): void {
  vacate(world, level, player)
  player.cell = cell
  occupy(level, player)
}

export function moveMonster(level: Level, monster: Monster, cell: number): void {
  level.occupants[monster.cell] = 0
  monster.cell = cell
  level.occupants[cell] = monster.id
}

/** The hunt of a monster for a player, if it hunts them. */
export const findHunt = (monster: Monster, player: Player): Hunt | undefined =>
  monster.hunts.find((hunt) => hunt.player === player.id)

export const isEngaged = (monster: Monster, player: Player): boolean => findHunt(monster, player) !== undefined

/** Makes a monster hunt a player. */
export function engage(monster: Monster, player: Player): void {
  monster.mood = 'hunting'
  if (!isEngaged(monster, player)) monster.hunts.push({ player: player.id, energy: 0, mark: 0 })
}

export function disengage(monster: Monster, player: Player): void {
  if (!isEngaged(monster, player)) return
  monster.hunts = monster.hunts.filter((hunt) => hunt.player !== player.id)
  if (monster.hunts.length === 0) monster.mood = 'idle'
}
