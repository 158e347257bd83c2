import { directions, directionTo, distance, offsets } from '../../core/grid.ts'
import type { DungeonView } from './dungeon-view.ts'
import { findStep, isWalkable } from './find-step.ts'

/** What somebody does who knows no better than to look everywhere: hit what is near, take what lies, go where it is dark, then down. */
export function chooseKey(view: DungeonView, health: number, canDrink: boolean): string {
  const foe = view.beings.find(({ id, cell, state }) => id > 0 && state > 0 && distance(cell, view.cell) === 1)
  if (foe && health < 0.4 && canDrink) return '1'
  if (foe) return directions[directionTo(view.cell, foe.cell)] ?? '.'
  if (view.glyphs[view.cell] === '>') return '>'
  const thing = nearest(view, (cell) => view.things.some((each) => each.cell === cell))
  const dark =
    thing ?? nearest(view, (cell) => isAtTheDark(view, cell)) ?? nearest(view, (cell) => view.glyphs[cell] === '>')
  return (dark === undefined ? undefined : findStep(view, dark)) ?? 'o'
}

const isAtTheDark = ({ glyphs }: DungeonView, cell: number): boolean =>
  offsets.some((offset) => glyphs[cell + offset] === '')

/** The nearest cell that one can walk to and that is of a kind. */
function nearest(view: DungeonView, isWanted: (cell: number) => boolean): number | undefined {
  const seen = new Set([view.cell])
  let edge = [view.cell]
  while (edge.length > 0) {
    const next: number[] = []
    for (const cell of edge)
      for (const offset of offsets) {
        const to = cell + offset
        if (seen.has(to) || !isWalkable(view, to)) continue
        if (isWanted(to)) return to
        seen.add(to)
        next.push(to)
      }
    edge = next
  }
  return undefined
}
