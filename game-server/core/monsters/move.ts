import { cellCount, distance, height, offsetOf, width, xOf, yOf } from '../grid.ts'
import { moveMonster } from '../place.ts'
import { below } from '../prng.ts'
import type { Scene } from '../scene.ts'
import { T } from '../tiles.ts'
import { canStand, type Footing, walkDistances } from '../walk-distances.ts'
import type { Level, Monster } from '../world.ts'
import type { MonsterKind } from './kinds.ts'

const footings: Record<MonsterKind['gait'], Footing> = {
  walks: 'dry',
  rooted: 'dry',
  flies: 'any',
  burrows: 'any',
  swims: 'deep',
}

/** How many steps away a monster can hunt a player; beyond that it gives up. */
export const scent = 26

const steps: Record<Footing, Int16Array> = {
  dry: new Int16Array(cellCount),
  any: new Int16Array(cellCount),
  deep: new Int16Array(cellCount),
}
/** The cache key of each of `steps`: level, command, turn, and the player's cell. */
const measured: Record<Footing, { level?: Level; seq: number; turn: number; cell: number }> = {
  dry: { seq: 0, turn: 0, cell: 0 },
  any: { seq: 0, turn: 0, cell: 0 },
  deep: { seq: 0, turn: 0, cell: 0 },
}

function stepsTo({ world, player, level }: Scene, footing: Footing): Int16Array {
  const out = steps[footing]
  const last = measured[footing]
  if (last.level === level && last.seq === world.seq && last.turn === player.turn && last.cell === player.cell)
    return out
  walkDistances(level.tiles, player.cell, footing, scent, out)
  measured[footing] = { level, seq: world.seq, turn: player.turn, cell: player.cell }
  return out
}

const isInside = (cell: number): boolean =>
  xOf(cell) > 0 && xOf(cell) < width - 1 && yOf(cell) > 0 && yOf(cell) < height - 1

function canEnter(level: Level, kind: MonsterKind, cell: number): boolean {
  if (level.occupants[cell] !== 0 || !isInside(cell)) return false
  // Guardians stay in their treasury.
  if (kind.isStone && level.tiles[cell] === T.arch) return false
  return kind.gait === 'burrows' || canStand(level.tiles[cell], footings[kind.gait])
}

/** Steps to the neighbouring cell where `worth` is lowest, if lower than here. Ties are decided at random. */
function stepBy(scene: Scene, monster: Monster, kind: MonsterKind, worth: (cell: number) => number): boolean {
  const { level, player } = scene
  const first = below(player.dice, 8)
  let best = -1
  let least = worth(monster.cell)
  for (let i = 0; i < 8; i++) {
    const cell = monster.cell + offsetOf((i + first) & 7)
    if (!canEnter(level, kind, cell)) continue
    const value = worth(cell)
    if (value >= least) continue
    least = value
    best = cell
  }
  if (best < 0) return false
  moveMonster(level, monster, best)
  return true
}

/** Takes one step closer to the acting player, around corners, too. */
export function approach(scene: Scene, monster: Monster, kind: MonsterKind): boolean {
  if (kind.gait === 'rooted') return false
  const { player } = scene
  const straight = (cell: number) => distance(cell, player.cell)
  if (kind.gait === 'burrows' || kind.gait === 'swims') return stepBy(scene, monster, kind, straight)
  const ways = stepsTo(scene, footings[kind.gait])
  return stepBy(scene, monster, kind, (cell) => {
    const far = ways[cell] ?? -1
    return far < 0 ? scent + 1 : far
  })
}

/** Takes one step away from the acting player, to the cell with the longest walk. */
export function flee(scene: Scene, monster: Monster, kind: MonsterKind): boolean {
  if (kind.gait === 'rooted') return false
  const ways = stepsTo(scene, footings[kind.gait])
  return stepBy(scene, monster, kind, (cell) => -(ways[cell] ?? -1) - distance(cell, scene.player.cell))
}

/** Takes one step in a random direction. */
export function stumble({ level, player }: Scene, monster: Monster, kind: MonsterKind): boolean {
  const cell = monster.cell + offsetOf(below(player.dice, 8))
  if (kind.gait === 'rooted' || !canEnter(level, kind, cell)) return false
  moveMonster(level, monster, cell)
  return true
}
