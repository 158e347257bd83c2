import { clamp, hypot, mix } from '../arithmetic.ts'
import { darker, lighter, luminance, mixRgb, type Rgb } from '../colour.ts'
import type { Paint } from '../painting.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { makeSheet, type Sheet } from './sheet.ts'

const tries = 1500
const leastSteps = 26
const mostSteps = 420

type Point = readonly [x: number, y: number]
/** The direction of the stream at a point, as an angle in radians. */
type Stream = (x: number, y: number) => number

/** Ribbons of random thickness that follow one stream as far as there is room. */
export const flow: Paint = (width, height, random) => {
  const sheet = makeSheet(width, height, random)
  const { colours, tones, grain } = sheet
  const isDark = random.next() < 0.5
  const ground = isDark ? darker(tones[5], 0.75) : tones[0]
  const foot = isDark ? lighter(ground, 0.05) : darker(ground, 0.94)
  sheet.ground(ground, foot, (x, y) => clamp(y / height + (grain(x, y) - 0.5) * 0.4))
  const inks = colours.filter((colour) => Math.abs(luminance(colour) - luminance(ground)) > 0.12)
  const stream = makeStream(sheet, random)
  const water = makeOccupancy(sheet)
  for (let ribbon = 1; ribbon <= tries; ribbon += 1) {
    const start: Point = [random.next() * width, random.next() * height]
    const thick = (height / 110) * mix(0.28, 2.6, random.next() ** 2.2)
    const line = follow(sheet, stream, start, (x, y) => water.isFree(x, y, thick + (height / 110) * 0.75, ribbon))
    if (line.length < leastSteps) continue
    const zone = sheet.noise.fractal((start[0] / width) * 1.3 + 9, (start[1] / height) * 1.3, 2) * 0.5 + 0.5
    const place = clamp(Math.floor((zone + random.range(-0.14, 0.14)) * inks.length), 0, inks.length - 1)
    drawRibbon(sheet, stream, line, thick, inks[place] ?? tones[3], (x, y, radius) => water.take(x, y, radius, ribbon))
  }
  const finish = { hasFilmCurve: false, contrast: 1.03, saturation: 1.05, vignette: 0.08, grain: 0.025 }
  return { raster: sheet.raster, finish, scene: 'flow', alt: 'Illustration of ribbons that follow one stream' }
}

function makeStream({ width, height, noise }: Sheet, random: SeededRandom): Stream {
  const [pace, fromX, fromY] = [random.range(0.9, 1.7), random.range(0, 60), random.range(0, 60)]
  const bend = random.range(2.2, 4.2)
  const [eyeX, eyeY] = [width * random.range(0.3, 0.7), height * random.range(0.3, 0.7)]
  return (x, y) => {
    const away = hypot(x - eyeX, y - eyeY) / height
    const angle = noise.fractal((x / height) * pace + fromX, (y / height) * pace + fromY, 2, 2, 0.4) * bend
    return angle + 2.6 * Math.exp(-away * away * 2.2)
  }
}

/** Tracks which ribbon occupies each square of a few pixels. */
function makeOccupancy({ width, height, unit }: Sheet) {
  const cell = Math.max(2, Math.round(3 * unit))
  const [columns, rows] = [Math.ceil(width / cell), Math.ceil(height / cell)]
  const owners = new Uint16Array(columns * rows)
  const squares = (x: number, y: number, radius: number, step: number, visit: (place: number) => boolean): boolean => {
    const [column, row] = [Math.floor(x / cell), Math.floor(y / cell)]
    for (let down = -radius; down <= radius; down += step) {
      if (row + down < 0 || row + down >= rows) continue
      for (let across = -radius; across <= radius; across += step) {
        if (column + across < 0 || column + across >= columns) continue
        if (!visit((row + down) * columns + column + across)) return false
      }
    }
    return true
  }
  return {
    isFree(x: number, y: number, radius: number, ribbon: number): boolean {
      const reach = Math.ceil(radius / cell)
      return squares(x, y, reach, Math.max(1, reach >> 1), (place) => {
        const owner = owners[place] ?? 0
        return owner === 0 || owner === ribbon
      })
    },
    take(x: number, y: number, radius: number, ribbon: number): void {
      squares(x, y, Math.ceil(radius / cell), 1, (place) => {
        owners[place] = ribbon
        return true
      })
    },
  }
}

/** The line of the stream through a point, in both directions as far as there is room. */
function follow(
  { width, height, unit }: Sheet,
  stream: Stream,
  start: Point,
  isFree: (x: number, y: number) => boolean,
) {
  const walk = (direction: 1 | -1): Point[] => {
    const points: Point[] = []
    let [x, y] = start
    for (let step = 0; step < mostSteps; step += 1) {
      const angle = stream(x, y)
      x += Math.cos(angle) * 2.2 * unit * direction
      y += Math.sin(angle) * 2.2 * unit * direction
      if (x < -30 || y < -30 || x > width + 30 || y > height + 30 || !isFree(x, y)) break
      points.push([x, y])
    }
    return points
  }
  return [...walk(-1).reverse(), ...walk(1)]
}

function drawRibbon(
  sheet: Sheet,
  stream: Stream,
  line: readonly Point[],
  thick: number,
  colour: Rgb,
  take: (x: number, y: number, radius: number) => void,
): void {
  const shadeColour = mixRgb(darker(colour, 0.5), sheet.tones[5], 0.25)
  for (const [place, [x, y]] of line.entries()) {
    const along = place / (line.length - 1)
    const radius = thick * Math.min(1, Math.sqrt(Math.sin(clamp(along * 0.98 + 0.01) * Math.PI)) * 1.25) + 0.3
    take(x, y, radius)
    const angle = stream(x, y)
    const [acrossX, acrossY] = [-Math.sin(angle), Math.cos(angle)]
    sheet.circle(x, y, radius, {
      colour,
      shade: (px, py) => clamp((((px - x) * acrossX + (py - y) * acrossY) / radius) * 0.45 + 0.28 * (1 - along)),
      shadeColour,
    })
  }
}
