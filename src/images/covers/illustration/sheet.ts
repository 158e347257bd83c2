import { clamp, hypot, mix, smooth } from '../arithmetic.ts'
import { fromHex, luminance, type Rgb } from '../colour.ts'
import { makeNoise, type Noise } from '../noise.ts'
import { blur, makeRaster, type Raster } from '../raster.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { type Palette, palettes } from './palettes.ts'

/** The box that contains a shape. */
export type Box = readonly [left: number, top: number, right: number, bottom: number]
/** Pixels to the edge of a shape, negative inside it. */
export type Distance = (x: number, y: number) => number
/** The first and last row that may contain the shape, for each column. */
export type Rows = (x: number) => readonly [first: number, last: number]
/** How much of a second colour is stippled over the first, 0 to 1. */
export type Shade = (x: number, y: number) => number

/** Colours of a shape. */
export interface Fill {
  readonly colour: Rgb
  readonly shade?: Shade
  readonly shadeColour?: Rgb
  readonly opacity?: number
}

/** The upper edge of something that reaches down to the foot of the picture. */
export interface Ridge {
  /** The row of the edge in a column. */
  readonly at: (x: number) => number
  /** The row of its highest place. */
  readonly highest: number
  /** The row in a column below which it fully hides what lies behind. */
  readonly hidesFrom: (x: number) => number
  /** Fills the area below the edge, down to where something in front hides it. */
  readonly fill: (fill: Fill, hiddenFrom: (x: number) => number) => void
}

/** Flat shapes with stippled shading, laid one over another. */
export interface Sheet {
  readonly raster: Raster
  readonly width: number
  readonly height: number
  readonly shorter: number
  /** One pixel of a picture 900 pixels high. */
  readonly unit: number
  readonly noise: Noise
  readonly random: SeededRandom
  /** Colours in the order of the palette. */
  readonly colours: readonly [Rgb, Rgb, Rgb, Rgb, Rgb, Rgb]
  /** The same colours from light to dark. */
  readonly tones: readonly [Rgb, Rgb, Rgb, Rgb, Rgb, Rgb]
  readonly grain: (x: number, y: number) => number
  /** Fills the picture with a mix of two colours. */
  readonly ground: (from: Rgb, to: Rgb, shareAt: (x: number, y: number) => number) => void
  readonly shape: (box: Box, distance: Distance, fill: Fill) => void
  /** A shape across the whole picture, which needs fewer pixels to be tested than its box has. */
  readonly band: (rows: Rows, distance: Distance, fill: Fill) => void
  readonly circle: (x: number, y: number, radius: number, fill: Fill) => void
  readonly rectangle: (x: number, y: number, width: number, height: number, fill: Fill) => void
  /** A line across the picture, below which everything can be filled. */
  readonly ridge: (heightAt: (x: number) => number) => Ridge
}

const tile = 256

/** High-pass filtered white noise, so that stippled dots keep their distance from each other. */
function makeGrain(random: SeededRandom): (x: number, y: number) => number {
  const grain = new Float32Array(tile * tile)
  for (let place = 0; place < grain.length; place += 1) grain[place] = random.next()
  const slow = grain.slice()
  blur(slow, tile, tile, 1, 2)
  for (let place = 0; place < grain.length; place += 1) {
    grain[place] = clamp(((grain[place] ?? 0) - (slow[place] ?? 0)) * 1.05 + 0.5)
  }
  return (x, y) => grain[(y & 255) * tile + (x & 255)] ?? 0
}

/** An empty sheet. */
export function makeSheet(
  width: number,
  height: number,
  random: SeededRandom,
  from: readonly [Palette, ...Palette[]] = palettes,
): Sheet {
  const raster = makeRaster(width, height)
  const noise = makeNoise(random)
  const palette = random.pick(from)
  const tones = palette.toSorted((a, b) => luminance(fromHex(b)) - luminance(fromHex(a)))
  const grain = makeGrain(random)

  function shape([left, top, right, bottom]: Box, distance: Distance, fill: Fill) {
    const [firstX, lastX] = [Math.max(0, Math.floor(left)), Math.min(width - 1, Math.ceil(right))]
    const lastY = Math.min(height - 1, Math.ceil(bottom))
    for (let y = Math.max(0, Math.floor(top)); y <= lastY; y += 1) {
      for (let x = firstX; x <= lastX; x += 1) dot(x, y, distance(x + 0.5, y + 0.5), fill)
    }
  }

  function band(rows: Rows, distance: Distance, fill: Fill) {
    const [firsts, lasts] = [new Int32Array(width), new Int32Array(width)]
    let [top, bottom] = [height, -1]
    for (let x = 0; x < width; x += 1) {
      const [from, to] = rows(x)
      const first = Math.max(0, Math.floor(from))
      const last = Math.min(height - 1, Math.ceil(to))
      firsts[x] = first
      lasts[x] = last
      top = Math.min(top, first)
      bottom = Math.max(bottom, last)
    }
    for (let y = top; y <= bottom; y += 1) {
      for (let x = 0; x < width; x += 1) {
        if (y >= (firsts[x] ?? 0) && y <= (lasts[x] ?? 0)) dot(x, y, distance(x + 0.5, y + 0.5), fill)
      }
    }
  }

  function ground(from: Rgb, to: Rgb, shareAt: (x: number, y: number) => number) {
    const { data } = raster
    for (let y = 0, place = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1, place += 3) {
        const share = shareAt(x, y)
        data[place] = mix(from[0], to[0], share)
        data[place + 1] = mix(from[1], to[1], share)
        data[place + 2] = mix(from[2], to[2], share)
      }
    }
  }

  /** Colours a pixel in proportion to the part of it that lies within the shape. */
  function dot(x: number, y: number, away: number, { colour, shade, shadeColour, opacity = 1 }: Fill) {
    if (away > 0.5) return
    const amount = shade ? shade(x, y) : 0
    const share = amount > 0 && shadeColour ? smooth(-0.16, 0.16, amount - grain(x, y)) : 0
    const covered = clamp(0.5 - away) * opacity
    const { data } = raster
    const place = (y * width + x) * 3
    // Unrolled, because there are millions of dots.
    const shaded = share > 0 && shadeColour ? shadeColour : colour
    const red = data[place] ?? 0
    const green = data[place + 1] ?? 0
    const blue = data[place + 2] ?? 0
    data[place] = red + (mix(colour[0], shaded[0], share) - red) * covered
    data[place + 1] = green + (mix(colour[1], shaded[1], share) - green) * covered
    data[place + 2] = blue + (mix(colour[2], shaded[2], share) - blue) * covered
  }

  function ridge(heightAt: (x: number) => number): Ridge {
    const line = Float32Array.from({ length: width + 2 }, (_, x) => heightAt(x))
    const at = (x: number) => line[Math.min(width, Math.max(0, Math.trunc(x)))] ?? 0
    // Where the edge is steep, its antialiasing covers more rows.
    const steepness = Float64Array.from(line, (level, x) => Math.sqrt(1 + (at(x + 1) - level) ** 2))
    const steepAt = (x: number) => steepness[Math.trunc(x)] ?? 1
    return {
      at,
      highest: line.reduce((highest, level) => Math.min(highest, level), height),
      hidesFrom: (x) => at(x) + steepAt(x) / 2 + 1,
      fill: (fill, hiddenFrom) =>
        band(
          (x) => [at(x) - steepAt(x) / 2 - 1, hiddenFrom(x)],
          (x, y) => (at(x) - y) / steepAt(x),
          fill,
        ),
    }
  }

  return {
    raster,
    width,
    height,
    shorter: Math.min(width, height),
    unit: Math.min(width, height) / 900,
    noise,
    random,
    colours: toColours(palette),
    tones: toColours(tones),
    grain,
    ground,
    shape,
    band,
    circle: (x, y, radius, fill) =>
      shape(
        [x - radius - 1, y - radius - 1, x + radius + 1, y + radius + 1],
        (px, py) => hypot(px - x, py - y) - radius,
        fill,
      ),
    rectangle: (x, y, w, h, fill) =>
      shape([x - 1, y - 1, x + w + 1, y + h + 1], (px, py) => Math.max(x - px, px - x - w, y - py, py - y - h), fill),
    ridge,
  }
}

function toColours(hex: readonly string[]): readonly [Rgb, Rgb, Rgb, Rgb, Rgb, Rgb] {
  const [a = '#000000', b = a, c = a, d = a, e = a, f = a] = hex
  return [fromHex(a), fromHex(b), fromHex(c), fromHex(d), fromHex(e), fromHex(f)]
}
