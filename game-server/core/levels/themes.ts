import { addLoops } from './add-loops.ts'
import { attachRooms } from './attach-rooms.ts'
import type { Draft } from './draft.ts'
import type { Theme } from './level-plan.ts'
import { cloister, corner, cross, disc, niches, pillared, rectangle } from './room-shapes.ts'

function carveCellars(draft: Draft): void {
  const shapes = [rectangle, rectangle, rectangle, rectangle, cross, cross, corner, disc, pillared]
  attachRooms(draft, { shapes, rooms: 24, doorPercent: 60, hallPercent: 45 })
  addLoops(draft, 7, 24, 60)
}

function carveCrypts(draft: Draft): void {
  const shapes = [rectangle, disc, disc, niches, niches, cloister, cross]
  attachRooms(draft, { shapes, rooms: 22, doorPercent: 35, hallPercent: 60 })
  addLoops(draft, 8, 24, 60)
}

interface ThemeOfDepth {
  theme: Theme
  carve: (draft: Draft) => void
}

/** Which theme a depth has. */
export const themeOf = (depth: number): ThemeOfDepth =>
  depth < 3 ? { theme: 'cellars', carve: carveCellars } : { theme: 'crypts', carve: carveCrypts }
