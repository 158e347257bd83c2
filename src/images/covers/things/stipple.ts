import { clamp } from '../arithmetic.ts'
import { blur } from '../raster.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { drawGreySvg, drawSvg } from './draw-svg.ts'
import type { Stage } from './stage.ts'

const tile = 256

/** Renders the layers as flat shapes with stippled shades, as in screen printing. */
export async function stipple({ width, height, layers }: Stage, random: SeededRandom): Promise<Uint8Array> {
  const pixels = await drawSvg(layers.map(({ flat }) => flat).join(''), width, height)
  const shades = await drawGreySvg(toShades(layers.map(({ relief }) => relief).join('')), width, height)
  const [dots, grain] = makeDots(random)
  for (let y = 0, pixel = 0, place = 0; y < height; y += 1) {
    const row = (y & 255) << 8
    for (let x = 0; x < width; x += 1, pixel += 1, place += 3) {
      const speck = row + (x & 255)
      const dark = clamp(((shades[pixel] ?? 0) / 255 - (dots[speck] ?? 0)) * 3.2 + 0.5)
      const light = 1 - 0.34 * dark
      const noise = grain[speck] ?? 0
      pixels[place] = clamp((pixels[place] ?? 0) * light + noise, 0, 255)
      pixels[place + 1] = clamp((pixels[place + 1] ?? 0) * (light - 0.03 * dark) + noise, 0, 255)
      pixels[place + 2] = clamp((pixels[place + 2] ?? 0) * (light + 0.05 * dark) + noise, 0, 255)
    }
  }
  return pixels
}

const gradient =
  '<linearGradient id="s" x1="0.1" y1="0" x2="0.75" y2="1"><stop offset="0.25" stop-color="#000"/><stop offset="1" stop-color="#b4b4b4"/></linearGradient>'

/** Replaces every height by one gradient, so that each part is lit from above. */
const toShades = (relief: string): string => gradient + relief.replaceAll(/rgb\(\d+,\d+,\d+\)/g, 'url(#s)')

/** High-pass filtered noise for dots that keep their distance, and the grain of the paper. */
function makeDots(random: SeededRandom): [dots: Float32Array, grain: Float32Array] {
  const raw = Float32Array.from({ length: tile * tile }, () => random.next())
  const slow = raw.slice()
  blur(slow, tile, tile, 1, 2)
  const dots = raw.map((value, place) => 0.06 + clamp((value - (slow[place] ?? 0)) * 1.05 + 0.5))
  return [dots, raw.map((value) => (value - 0.5) * 9)]
}
