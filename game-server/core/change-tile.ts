import type { Level } from './world.ts'

/** Changes a tile for everybody. */
export function changeTile(level: Level, cell: number, tile: number): void {
  if (level.tiles[cell] === tile) return
  level.tiles[cell] = tile
  level.changes.push(cell)
}
