import { fov } from '../../core/fov.ts'
import { cellCount } from '../../core/grid.ts'
import { tiles } from '../../core/tiles.ts'
import type { Being, DungeonView } from './dungeon-view.ts'
import type { Effects } from './effects.ts'
import type { Frame } from './read-frame.ts'

const tileNumbers = new Map(tiles.map(({ glyph, looksLike }, number) => [glyph, looksLike ?? number]))

/** The known tiles as numbers; unknown cells are 0, walls, which stop the light. */
const known = new Uint8Array(cellCount)
const list = new Int16Array(cellCount)

const hurtColour = '#ff8a7a'
const healColour = '#9fe08b'

/** Applies a frame to a view, and adds effects for changes of health and position. */
export function keepFrame(view: DungeonView, effects: Effects, frame: Frame, nowMs = performance.now()): void {
  if (frame.depth !== undefined) enter(view, frame.depth)
  for (const { start, glyphs } of frame.runs)
    for (const [at, glyph] of [...glyphs].entries()) view.glyphs[start + at] = glyph
  const isSameLevel = frame.depth === undefined
  if (frame.me) {
    if (isSameLevel) {
      showChange(effects, view, frame.me.hp, nowMs)
      slide(effects, { id: 0, from: view.cell, to: frame.me.cell }, nowMs)
    }
    view.cell = frame.me.cell
    view.hp = frame.me.hp
    view.radius = frame.me.radius
  }
  if (frame.beings) {
    if (isSameLevel) for (const being of frame.beings) showFate(effects, view.beings, being, nowMs)
    view.beings = frame.beings
  }
  if (frame.names) view.names = frame.names
  if (frame.doings) view.doings = frame.doings
  if (frame.things) view.things = frame.things
  if (frame.labels) view.labels = frame.labels
  light(view)
}

function enter(view: DungeonView, depth: number): void {
  view.depth = depth
  view.glyphs.fill('')
  view.beings = []
  view.things = []
  view.names = new Map()
  view.doings = new Map()
  view.labels = new Map()
  view.hp = undefined
}

/** Computes the lit cells as the host does, which is possible because every lit cell was sent. */
function light({ glyphs, lit, cell, radius }: DungeonView): void {
  for (let at = 0; at < cellCount; at++) known[at] = tileNumbers.get(glyphs[at] ?? '') ?? 0
  lit.fill(0)
  fov(known, cell, radius, lit, list)
}

function showChange(effects: Effects, { hp, cell }: DungeonView, after: number, nowMs: number): void {
  if (hp === undefined || after === hp) return
  const isHurt = after < hp
  // Natural healing, a point at a time, is not shown.
  if (!isHurt && after - hp < 3) return
  const text = isHurt ? String(after - hp).replace('-', '−') : `+${after - hp}`
  effects.flights = [...effects.flights, { cell, text, colour: isHurt ? hurtColour : healColour, bornMs: nowMs }]
  if (isHurt) effects.hurtMs = nowMs
}

function showFate(effects: Effects, before: readonly Being[], being: Being, nowMs: number): void {
  const old = before.find(({ id }) => id === being.id)
  if (!old) return
  if (being.health < old.health)
    effects.flights = [...effects.flights, { cell: being.cell, text: '*', colour: '#ffe08a', bornMs: nowMs }]
  slide(effects, { id: being.id, from: old.cell, to: being.cell }, nowMs)
}

/** Animates a move to a neighbouring cell; longer moves are not animated. */
function slide(effects: Effects, { id, from, to }: { id: number; from: number; to: number }, nowMs: number): void {
  const gap = Math.abs(from - to)
  if (from !== to && (gap === 1 || (gap >= 79 && gap <= 81))) effects.slides.set(id, { from, bornMs: nowMs })
}
