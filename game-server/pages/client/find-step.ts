import { directions, directionTo, offsets } from '../../core/grid.ts'
import { tiles } from '../../core/tiles.ts'
import type { DungeonView } from './dungeon-view.ts'

const walkable = new Set(tiles.filter(({ isPassable }) => isPassable).map(({ glyph }) => glyph))
/** Traps, deep water and chasms: what one does not walk into without meaning to. */
const shunned = new Set(['^', '}', ':'])

/** Whether one walks there without a second thought, as far as is known. */
export function isWalkable({ glyphs }: Pick<DungeonView, 'glyphs'>, cell: number): boolean {
  const glyph = glyphs[cell] ?? ''
  return walkable.has(glyph) && !shunned.has(glyph)
}

/** What to press to get nearer to a cell: the first step of the shortest known way, else straight towards it. */
export const stepTowards = (view: Pick<DungeonView, 'glyphs' | 'cell'>, target: number): string | undefined =>
  findStep(view, target) ?? directions[directionTo(view.cell, target)]

/** The first step of the shortest known way to a cell; nothing when there is none. */
export function findStep(view: Pick<DungeonView, 'glyphs' | 'cell'>, target: number): string | undefined {
  // From the target back, so that the first step is known when the start is met.
  const seen = new Set([target])
  let edge = target === view.cell ? [] : [target]
  while (edge.length > 0) {
    const next: number[] = []
    for (const cell of edge)
      for (const [way, offset] of offsets.entries()) {
        const from = cell - offset
        if (from === view.cell) return directions[way]
        if (seen.has(from) || !isWalkable(view, from)) continue
        seen.add(from)
        next.push(from)
      }
    edge = next
  }
  return undefined
}
