import { cellCount, width } from '../../core/grid.ts'
import { type Camera, type Point, toPoint } from './camera.ts'
import { type Colour, remembered, toCss, under } from './colours.ts'
import type { DungeonView } from './dungeon-view.ts'

/** How a tile is drawn. */
interface TileLook {
  readonly ground: Colour
  readonly ink: Colour
  /** The character that is drawn in place of the glyph. */
  readonly drawn?: string
  /** Whether it is drawn as a block with a lit edge and no glyph. */
  readonly isBlock?: true
  /** Whether its brightness moves in waves. */
  readonly isLiquid?: true
}

const floor: Colour = [64, 49, 35]

/** The looks of tiles, by glyph. Shapes tell them apart; colour only helps. */
const looks: Readonly<Record<string, TileLook>> = {
  '#': { ground: [142, 106, 70], ink: [222, 178, 122], isBlock: true },
  '.': { ground: floor, ink: [148, 116, 82], drawn: '·' },
  '+': { ground: [92, 60, 30], ink: [240, 170, 92] },
  "'": { ground: floor, ink: [222, 154, 84], drawn: '∩' },
  '>': { ground: [74, 58, 34], ink: [255, 216, 124] },
  '<': { ground: [74, 58, 34], ink: [255, 216, 124] },
  '~': { ground: [22, 60, 92], ink: [112, 176, 226], isLiquid: true },
  '}': { ground: [12, 36, 78], ink: [96, 150, 226], drawn: '≈', isLiquid: true },
  '"': { ground: [34, 54, 24], ink: [124, 172, 84] },
  ';': { ground: [28, 62, 26], ink: [150, 204, 96] },
  '^': { ground: [72, 34, 28], ink: [255, 122, 98] },
  _: { ground: [58, 44, 72], ink: [206, 168, 255] },
  ',': { ground: floor, ink: [176, 164, 140] },
  '%': { ground: [24, 58, 56], ink: [110, 226, 196] },
  '=': { ground: [84, 58, 32], ink: [206, 156, 98] },
  '*': { ground: [70, 60, 104], ink: [206, 186, 255] },
  '0': { ground: floor, ink: [206, 200, 190] },
  ':': { ground: [14, 12, 18], ink: [96, 84, 110] },
}

const unknownLook: TileLook = { ground: floor, ink: [190, 180, 160] }

/** The look of the tile with this glyph. */
const lookOf = (glyph: string): TileLook => looks[glyph] ?? unknownLook

/** The radius of the torch in cells. */
const torchCells = 9
const leastLight = 0.3

/** A fixed pseudo-random number for each cell, from 0 to 1, for slightly different shades. */
const unevenness = (cell: number): number => (Math.imul(cell + 1, 2654435761) >>> 0) / 4294967296

/** Paints the known part of the level: cells in sight in torchlight, remembered ones in blue. */
export function paintGround(
  brush: CanvasRenderingContext2D,
  view: DungeonView,
  camera: Camera,
  torch: { at: Point; flicker: number; nowMs: number },
): void {
  const { cellWidth, cellHeight } = camera
  const occupied = new Set([view.cell, ...view.beings.map(({ cell }) => cell), ...view.things.map(({ cell }) => cell)])
  for (let cell = 0; cell < cellCount; cell++) {
    const glyph = view.glyphs[cell]
    if (!glyph) continue
    const { x, y } = toPoint(cell)
    const left = camera.left + x * cellWidth
    const top = camera.top + y * cellHeight
    if (left <= -cellWidth || top <= -cellHeight || left >= brush.canvas.width || top >= brush.canvas.height) continue
    const look = lookOf(glyph)
    const isLit = view.lit[cell] === 1
    const light = isLit ? lightAt(x, y, torch) : 0
    const wave = isLit && look.isLiquid ? 1 + 0.12 * Math.sin(torch.nowMs / 420 + cell * 1.7) : 1
    const shade = light * wave * (0.9 + 0.2 * unevenness(cell))
    const box = { left, top, width: cellWidth, height: cellHeight }
    fill(brush, box, isLit ? under(look.ground, shade) : remembered(look.ground))
    if (look.isBlock) paintWall(brush, box, hasFace(view, cell), isLit ? shade : undefined)
    else if (!occupied.has(cell)) {
      brush.fillStyle = toCss(isLit ? under(look.ink, 0.25 + 0.75 * light) : remembered(look.ink, 1.9))
      brush.fillText(look.drawn ?? glyph, left + cellWidth / 2, top + cellHeight / 2)
    }
  }
}

interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

function fill(brush: CanvasRenderingContext2D, { left, top, width, height }: Box, colour: Colour): void {
  brush.fillStyle = toCss(colour)
  brush.fillRect(left, top, width, height)
}

const lightAt = (x: number, y: number, { at, flicker }: { at: Point; flicker: number }): number =>
  Math.max(leastLight, Math.min(1, 1.35 - Math.hypot(x - at.x, y - at.y) / torchCells)) * flicker

/** Whether a wall shows its front, because the cell below it is known and not a wall. */
function hasFace(view: DungeonView, cell: number): boolean {
  const before = view.glyphs[cell + width] ?? ''
  return before !== '' && !lookOf(before).isBlock
}

const edgeColour: Colour = [168, 128, 88]
const faceColour: Colour = [108, 72, 44]

function paintWall(brush: CanvasRenderingContext2D, box: Box, isFront: boolean, shade: number | undefined): void {
  const shown = (colour: Colour) => (shade === undefined ? remembered(colour) : under(colour, shade))
  if (isFront) {
    const height = Math.round(box.height * 0.42)
    fill(brush, { ...box, top: box.top + box.height - height, height }, shown(faceColour))
  }
  fill(brush, { ...box, height: Math.max(1, Math.round(box.height * 0.08)) }, shown(edgeColour))
}

/** Paints the glow of the torch, only on cells in sight, because light does not pass through walls. */
export function paintGlow(
  brush: CanvasRenderingContext2D,
  view: DungeonView,
  camera: Camera,
  torch: { at: Point; flicker: number },
): void {
  const { cellWidth, cellHeight, left, top } = camera
  const x = left + (torch.at.x + 0.5) * cellWidth
  const y = top + (torch.at.y + 0.5) * cellHeight
  const reach = (torchCells + 0.5) * cellHeight
  const glow = brush.createRadialGradient(x, y, 0, x, y, reach)
  glow.addColorStop(0, `rgb(255 170 80 / ${0.22 * torch.flicker})`)
  glow.addColorStop(0.45, `rgb(255 130 50 / ${0.08 * torch.flicker})`)
  glow.addColorStop(1, 'rgb(0 0 0 / 0)')
  brush.save()
  brush.beginPath()
  for (let cell = 0; cell < cellCount; cell++) {
    if (view.lit[cell] !== 1) continue
    const point = toPoint(cell)
    brush.rect(left + point.x * cellWidth, top + point.y * cellHeight, cellWidth, cellHeight)
  }
  brush.clip()
  brush.globalCompositeOperation = 'lighter'
  brush.fillStyle = glow
  brush.fillRect(x - reach, y - reach, 2 * reach, 2 * reach)
  brush.restore()
}
