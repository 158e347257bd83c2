import { clamp, hypot } from '../arithmetic.ts'
import { darker, mixRgb, type Rgb } from '../colour.ts'
import type { Paint } from '../painting.ts'
import { type Distance, makeSheet, type Shade, type Sheet } from './sheet.ts'

/** Tiles of quarters, rings, stripes and diamonds, a few of them large. */
export const pattern: Paint = (width, height, random) => {
  const sheet = makeSheet(width, height, random)
  sheet.ground(sheet.colours[0], sheet.colours[0], () => 0)
  const rows = width / height > 1.5 ? random.pick([4, 5]) : random.pick([3, 4])
  // Only whole tiles are drawn, with a margin of paper around them.
  const margin = sheet.shorter * 0.025
  const columns = Math.floor((width - 2 * margin) / ((height - 2 * margin) / rows))
  const side = Math.min((width - 2 * margin) / columns, (height - 2 * margin) / rows)
  const [left, top] = [(width - columns * side) / 2, (height - rows * side) / 2]
  const large = Array.from(
    { length: random.int(1, 2) },
    () => [random.int(0, columns - 2), random.int(0, rows - 2)] as const,
  )
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) drawTile(sheet, left + column * side, top + row * side, side)
  }
  for (const [column, row] of large) drawTile(sheet, left + column * side, top + row * side, side * 2)
  const finish = { hasFilmCurve: false, contrast: 1.02, saturation: 1.04, vignette: 0.04, grain: 0.03 }
  return { raster: sheet.raster, finish, scene: 'pattern', alt: 'Illustration of geometric tiles in flat colours' }
}

function drawTile(sheet: Sheet, x: number, y: number, side: number): void {
  const { random, colours, tones } = sheet
  const others = (used: readonly Rgb[]): Rgb => {
    const free = colours.filter((colour) => !used.includes(colour))
    return free[random.int(0, free.length - 1)] ?? colours[0]
  }
  const isPlain = random.next() < 0.36
  const ground = isPlain ? colours[0] : others([colours[0]])
  const first = others([ground])
  const second = others([ground, first])
  const turn = random.range(0, 2 * Math.PI)
  const along = (px: number, py: number) =>
    ((px - x) / side - 0.5) * Math.cos(turn) + ((py - y) / side - 0.5) * Math.sin(turn)
  const fall: Shade = (px, py) => clamp(along(px, py) * 0.95 + 0.12)
  sheet.rectangle(x - 0.5, y - 0.5, side + 1, side + 1, {
    colour: ground,
    ...(random.next() < 0.55 && {
      shade: (px: number, py: number) => clamp(along(px, py) * -0.6 + 0.02),
      shadeColour: mixRgb(ground, tones[5], isPlain ? 0.2 : 0.45),
    }),
  })
  const draw = (distance: Distance, colour: Rgb, isShaded = true) =>
    sheet.shape(
      [x, y, x + side, y + side],
      (px, py) => Math.max(distance(px, py), x - px - 0.5, px - x - side - 0.5, y - py - 0.5, py - y - side - 0.5),
      { colour, ...(isShaded && { shade: fall, shadeColour: mixRgb(darker(colour), tones[5], 0.3) }) },
    )
  drawFigure({ draw, x, y, side, first, second, paper: colours[0], figure: random.int(0, 9), corner: random.int(0, 3) })
}

interface Figure {
  readonly draw: (distance: Distance, colour: Rgb, isShaded?: boolean) => void
  readonly x: number
  readonly y: number
  readonly side: number
  readonly first: Rgb
  readonly second: Rgb
  readonly paper: Rgb
  readonly figure: number
  readonly corner: number
}

function drawFigure({ draw, x, y, side, first, second, paper, figure, corner }: Figure) {
  const [cx, cy] = [x + (corner & 1 ? side : 0), y + (corner & 2 ? side : 0)]
  const [mx, my] = [x + side / 2, y + side / 2]
  const disc =
    (px: number, py: number, radius: number): Distance =>
    (a, b) =>
      hypot(a - px, b - py) - radius
  const isUpper = (corner & 2) === 0
  switch (figure) {
    case 0:
      return draw(disc(cx, cy, side), first)
    case 1:
      draw(disc(cx, cy, side), first)
      draw(disc(cx, cy, side * 0.62), second)
      return draw(disc(cx, cy, side * 0.28), paper, false)
    case 2:
      return draw(disc(mx, my, side * 0.36), first)
    case 3:
      draw(disc(mx, isUpper ? y + side : y, side / 2), first)
      return draw(disc(mx, isUpper ? y : y + side, side / 2), second)
    case 4: {
      const stripes = corner > 1 ? 5 : 7
      const across: Distance = (a, b) => ((corner & 1 ? a - x : b - y) / side) * stripes
      return draw((a, b) => ((Math.abs((across(a, b) % 1) - 0.5) - 0.25) * side) / stripes, first, false)
    }
    case 5: {
      const slants: readonly Distance[] = [(a, b) => a + b - 1, (a, b) => 1 - a - b, (a, b) => a - b, (a, b) => b - a]
      return draw((a, b) => (slants[corner]?.((a - x) / side, (b - y) / side) ?? 0) * side * Math.SQRT1_2, first)
    }
    case 6: {
      const dots = 5
      const off = (value: number) => ((value * dots) % 1) - 0.5
      return draw((a, b) => ((hypot(off((a - x) / side), off((b - y) / side)) - 0.2) * side) / dots, first, false)
    }
    case 7:
      return draw((a, b) => Math.abs(hypot(a - mx, b - my) - side * 0.33) - side * 0.085, first)
    case 8: {
      const opposite = disc(2 * x + side - cx, 2 * y + side - cy, side)
      draw((a, b) => Math.max(disc(cx, cy, side)(a, b), -opposite(a, b)), first)
      return draw((a, b) => Math.max(disc(cx, cy, side)(a, b), opposite(a, b)), second)
    }
    default:
      draw((a, b) => Math.abs(a - mx) + Math.abs(b - my) - side * 0.46, first)
      return draw(disc(mx, my, side * 0.15), second)
  }
}
