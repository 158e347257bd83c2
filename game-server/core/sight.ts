import { fov, sightRadius } from './fov.ts'
import { cellCount } from './grid.ts'
import { turnsOf } from './status.ts'
import type { Level, Player } from './world.ts'

/** What is lit from a cell: `lit` by cell, and the first `count` of `cells` as a list. Good until the next look. */
export interface Sight {
  readonly lit: Uint8Array
  readonly cells: Int16Array
  count: number
}

const sight: Sight = { lit: new Uint8Array(cellCount), cells: new Int16Array(cellCount), count: 0 }
// What the buffers hold now: looking twice from the same place costs nothing.
let lastLevel: Level | undefined
let lastCell = -1
let lastRadius = -1
let lastChanges = -1

/** How far a player sees. */
export const radiusOf = (player: Player): number => (turnsOf(player, 'blind') > 0 ? 1 : sightRadius)

function lookFrom(level: Level, cell: number, radius: number): Sight {
  if (level === lastLevel && cell === lastCell && radius === lastRadius && level.changes.length === lastChanges)
    return sight
  for (let i = 0; i < sight.count; i++) sight.lit[sight.cells[i] ?? 0] = 0
  sight.count = fov(level.tiles, cell, radius, sight.lit, sight.cells)
  lastLevel = level
  lastCell = cell
  lastRadius = radius
  lastChanges = level.changes.length
  return sight
}

/** What a player sees now. */
export const sightOf = (level: Level, player: Player): Sight => lookFrom(level, player.cell, radiusOf(player))
