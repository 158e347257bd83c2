import { directions, directionTo, offsets } from '../../core/grid.ts'
import { tiles } from '../../core/tiles.ts'
import type { DungeonView } from './dungeon-view.ts'

const walkable = new Set(tiles.filter(({ isPassable }) => isPassable).map(({ glyph }) => glyph))
/** Traps, deep water and chasms, which paths avoid. */
const shunned = new Set(['^', '}', ':'])

/** Whether a cell is known to be walkable and not dangerous. */
export function isWalkable({ glyphs }: Pick<DungeonView, 'glyphs'>, cell: number): boolean {
  const glyph = glyphs[cell] ?? ''
  return walkable.has(glyph) && !shunned.has(glyph)
}

/** The key for a step towards a cell: along the shortest known path, or else straight towards it. */
export const stepTowards = (view: Pick<DungeonView, 'glyphs' | 'cell'>, target: number): string | undefined =>
  findStep(view, target) ?? directions[directionTo(view.cell, target)]

/** The key for the first step of the shortest known path to a cell; undefined when there is none. */
export function findStep(view: Pick<DungeonView, 'glyphs' | 'cell'>, target: number): string | undefined {
  // Searched from the target, so that the first step is known as soon as the start is reached.
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
