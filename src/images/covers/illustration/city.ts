import { clamp, hypot, mix, smooth } from '../arithmetic.ts'
import { darker, lighter, mixRgb, type Rgb } from '../colour.ts'
import type { Paint } from '../painting.ts'
import { blend } from '../raster.ts'
import { type Fill, makeSheet, type Shade, type Sheet } from './sheet.ts'

const rows = 4

interface City {
  readonly sheet: Sheet
  readonly isNight: boolean
  /** Colour of the haze near the ground. */
  readonly haze: Rgb
  readonly lamp: Rgb
}

/** Rows of houses under a sun or moon; at night some windows are lit. */
export const city: Paint = (width, height, random) => {
  const sheet = makeSheet(width, height, random)
  const { tones, colours, grain, shorter } = sheet
  const accent = colours[1]
  const isNight = random.next() < 0.5
  const high = isNight ? darker(tones[5], 0.85) : mixRgb(tones[1], tones[0], 0.4)
  const low = isNight ? mixRgb(tones[4], accent, 0.25) : tones[0]
  sheet.ground(high, low, (x, y) => smooth(0, 0.85, clamp(y / height + (grain(x, y) - 0.5) * 0.3)))
  const [x, y] = [width * random.range(0.2, 0.8), height * random.range(0.25, 0.42)]
  const radius = shorter * random.range(0.13, 0.2)
  sheet.circle(x, y, radius, {
    colour: isNight ? lighter(tones[0], 0.3) : accent,
    shade: (_, py) => clamp(((py - y) / radius) * 0.55 + 0.12),
    shadeColour: isNight ? mixRgb(tones[0], tones[3], 0.5) : mixRgb(accent, tones[0], 0.6),
  })
  const warmest = colours.reduce((best, next) => (next[0] - next[2] > best[0] - best[2] ? next : best))
  const town: City = { sheet, isNight, haze: mixRgb(low, tones[0], isNight ? 0.12 : 0.3), lamp: lighter(warmest, 0.35) }
  for (let row = 0; row < rows; row += 1) drawRow(town, low, row / (rows - 1))
  const finish = { hasFilmCurve: false, contrast: 1.03, saturation: 1.05, vignette: 0.08, grain: 0.026 }
  const time = isNight ? 'at night, windows lit' : 'by day'
  return { raster: sheet.raster, finish, scene: 'city', alt: `Illustration of a city ${time}` }
}

/** One row of houses, from far (0) to near (1), and the haze before it. */
function drawRow(town: City, low: Rgb, near: number): void {
  const { sheet, haze } = town
  const { width, height, random, tones, colours } = sheet
  const ground = mixRgb(mixRgb(low, tones[2], 0.45), tones[5], near ** 0.9 * 0.92)
  const isNarrow = width / height < 1.5
  for (let x = -width * 0.04 * random.next(); x < width; ) {
    const wide = width * random.range(0.028, 0.075) * mix(0.75, 1.35, near) * (isNarrow ? 1.35 : 1)
    const centred = 1 - 0.25 * Math.abs(x / width - 0.5)
    const tall = height * random.range(0.18, 0.55) * mix(1.12, 0.72, near) * centred
    const tint = colours[random.int(1, 5)] ?? tones[3]
    drawHouse(town, { x, top: height - tall, wide, tall, near, colour: mixRgb(ground, tint, 0.16) })
    x += wide * random.range(0.92, 1.18)
  }
  if (near < 1) drawHaze(sheet, haze, 0.42 * (1 - near * 0.6))
}

/** Haze that gets thicker towards the ground, stippled like every shade. */
function drawHaze({ raster, width, height, grain }: Sheet, colour: Rgb, most: number): void {
  for (let y = Math.floor(height * 0.5); y < height; y += 1) {
    const amount = smooth(0.5, 1.05, y / height) * most
    for (let x = 0; x < width; x += 1) {
      blend(raster, x, y, colour, amount > grain(x, y) * 0.9 ? 0.55 : amount * 0.35)
    }
  }
}

interface House {
  readonly x: number
  readonly top: number
  readonly wide: number
  readonly tall: number
  readonly near: number
  readonly colour: Rgb
}

function drawHouse(town: City, house: House): void {
  const { sheet } = town
  const { random, tones } = sheet
  const { x, top, wide, tall, colour } = house
  const shadeColour = mixRgb(darker(colour, 0.6), tones[5], 0.3)
  const across: Shade = (px) => clamp(((px - x) / wide - 0.42) * 0.9)
  const roof: Fill = { colour, shade: across, shadeColour }
  const shade: Shade = (px, py) => clamp(((px - x) / wide - 0.42) * 0.9 + ((py - top) / tall) * 0.22 - 0.04)
  sheet.rectangle(x, top, wide, tall + 2, { colour, shade, shadeColour })
  drawRoof(sheet, house, roof)
  if (house.near > 0) drawWindows(town, house, random.int(0, 2))
}

function drawRoof(sheet: Sheet, { x, top, wide, tall }: House, roof: Fill): void {
  const middle = x + wide / 2
  const kind = sheet.random.int(0, 5)
  if (kind === 0) {
    const dome = (px: number, py: number) => Math.max(hypot(px - middle, py - top) - wide / 2, py - top)
    sheet.shape([x, top - wide * 0.5, x + wide, top], dome, roof)
  } else if (kind === 1) {
    const high = wide * 0.9
    const spire = (px: number, py: number) =>
      py > top ? 1 : Math.abs(px - middle) - (wide / 2) * ((py - top + high) / high)
    sheet.shape([x, top - high, x + wide, top], spire, roof)
  } else if (kind === 2) {
    sheet.rectangle(x + wide * 0.25, top - tall * 0.08, wide * 0.5, tall * 0.08 + 1, roof)
    const mast: Fill = { colour: roof.shadeColour ?? roof.colour }
    sheet.rectangle(x + wide * 0.49, top - tall * 0.2, Math.max(1.5, wide * 0.025), tall * 0.14, mast)
  } else if (kind === 3) {
    const slope = (px: number, py: number) => (py > top ? 1 : top - (px - x) * 0.45 - py)
    sheet.shape([x, top - wide * 0.45, x + wide, top + 1], slope, roof)
  }
}

function drawWindows({ sheet, isNight, lamp }: City, { x, top, wide, near, colour }: House, kind: number): void {
  const { height, random, tones } = sheet
  const columns = random.int(2, 5)
  const storey = height * 0.022 * mix(0.85, 1.25, near)
  const gap = wide / (columns + 0.5)
  const pane = isNight ? lamp : mixRgb(colour, tones[0], 0.55)
  for (let y = top + storey; y < height - storey; y += storey * 1.7) {
    for (let column = 0; column < columns; column += 1) {
      if (random.next() < (isNight ? 0.45 : 0.2)) continue
      const opacity = isNight ? random.range(0.45, 0.95) : 0.55
      sheet.rectangle(x + gap * (column + 0.5), y, gap * (kind === 1 ? 0.8 : 0.5), storey * (kind === 2 ? 1.1 : 0.75), {
        colour: pane,
        opacity,
      })
    }
  }
}
