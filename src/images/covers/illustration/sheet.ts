import { clamp, smooth } from '../arithmetic.ts'
import { fromHex, luminance, mixRgb, type Rgb } from '../colour.ts'
import { makeNoise, type Noise } from '../noise.ts'
import { blend, blur, makeRaster, paint, type Raster } from '../raster.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { type Palette, palettes } from './palettes.ts'

/** The box in which a shape is looked for. */
export type Box = readonly [left: number, top: number, right: number, bottom: number]
/** Pixels to the edge of a shape, negative inside it. */
export type Distance = (x: number, y: number) => number
/** How much of a second colour is stippled over the first, 0 to 1. */
export type Shade = (x: number, y: number) => number

/** What fills a shape. */
export interface Fill {
  readonly colour: Rgb
  readonly shade?: Shade
  readonly shadeColour?: Rgb
  readonly opacity?: number
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
  /** As the palette lists them. */
  readonly colours: readonly [Rgb, Rgb, Rgb, Rgb, Rgb, Rgb]
  /** From light to dark. */
  readonly tones: readonly [Rgb, Rgb, Rgb, Rgb, Rgb, Rgb]
  readonly grain: (x: number, y: number) => number
  readonly ground: (colourOf: (x: number, y: number) => Rgb) => void
  readonly shape: (box: Box, distance: Distance, fill: Fill) => void
  readonly circle: (x: number, y: number, radius: number, fill: Fill) => void
  readonly rectangle: (x: number, y: number, width: number, height: number, fill: Fill) => void
  /** Everything below a line across the picture; the line's height by column is returned. */
  readonly ridge: (heightAt: (x: number) => number, fill: Fill) => (x: number) => number
}

const tile = 256

/** Stippling whose dots keep their distance: white noise without its slow part. */
function makeGrain(random: SeededRandom): (x: number, y: number) => number {
  const raw = Float32Array.from({ length: tile * tile }, () => random.next())
  const slow = raw.slice()
  blur(slow, tile, tile, 1, 2)
  const grain = raw.map((value, place) => clamp((value - (slow[place] ?? 0)) * 1.05 + 0.5))
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

  function shape(
    [left, top, right, bottom]: Box,
    distance: Distance,
    { colour, shade, shadeColour, opacity = 1 }: Fill,
  ) {
    const [lastX, lastY] = [Math.min(width - 1, Math.ceil(right)), Math.min(height - 1, Math.ceil(bottom))]
    for (let y = Math.max(0, Math.floor(top)); y <= lastY; y += 1) {
      for (let x = Math.max(0, Math.floor(left)); x <= lastX; x += 1) {
        const away = distance(x + 0.5, y + 0.5)
        if (away > 0.5) continue
        const amount = shade ? shade(x, y) : 0
        const inked =
          amount > 0 && shadeColour ? mixRgb(colour, shadeColour, smooth(-0.16, 0.16, amount - grain(x, y))) : colour
        blend(raster, x, y, inked, clamp(0.5 - away) * opacity)
      }
    }
  }

  function ridge(heightAt: (x: number) => number, fill: Fill) {
    const line = Float32Array.from({ length: width + 2 }, (_, x) => heightAt(x))
    const at = (x: number) => line[Math.min(width, Math.max(0, Math.trunc(x)))] ?? 0
    const away = (x: number, y: number) => (at(x) - y) / Math.sqrt(1 + (at(x + 1) - at(x)) ** 2)
    shape([0, Math.min(...line) - 1, width, height], away, fill)
    return at
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
    ground: (colourOf) => paint(raster, colourOf),
    shape,
    circle: (x, y, radius, fill) =>
      shape(
        [x - radius - 1, y - radius - 1, x + radius + 1, y + radius + 1],
        (px, py) => Math.hypot(px - x, py - y) - radius,
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
