import type { Level } from './world.ts'

/** Changes a tile, and records it so that the views of all players are updated. */
export function changeTile(level: Level, cell: number, tile: number): void {
  if (level.tiles[cell] === tile) return
  level.tiles[cell] = tile
  level.changes.push(cell)
}
