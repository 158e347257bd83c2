import { cellCount } from './grid.ts'
import { sightOf } from './sight.ts'
import type { Level, Player } from './world.ts'

/** The cells that a player knows on a depth, as a bit set. */
export function knownOn(player: Player, depth: number): Uint32Array {
  const kept = player.known.get(depth)
  if (kept) return kept
  const fresh = new Uint32Array(cellCount / 32)
  player.known.set(depth, fresh)
  return fresh
}

export const isKnown = (known: Uint32Array, cell: number): boolean =>
  ((known[cell >> 5] ?? 0) & (1 << (cell & 31))) !== 0

export function markKnown(known: Uint32Array, cell: number): void {
  known[cell >> 5] = (known[cell >> 5] ?? 0) | (1 << (cell & 31))
}

/** Marks all cells that a player sees now as known; returns whether any was new. */
export function reveal(level: Level, player: Player): boolean {
  const { cells, count } = sightOf(level, player)
  const known = knownOn(player, level.depth)
  let isNew = false
  for (let i = 0; i < count; i++) {
    const cell = cells[i] ?? 0
    if (isKnown(known, cell)) continue
    markKnown(known, cell)
    isNew = true
  }
  return isNew
}
