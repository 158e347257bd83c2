import { clamp, hypot, mix } from './arithmetic.ts'
import { toSrgb } from './colour.ts'
import { addEnlarged, blur, makeRaster, type Raster, shrink } from './raster.ts'
import type { SeededRandom } from './seeded-random.ts'

/** How a picture in linear light becomes one in 8 bits. */
export interface Finish {
  readonly exposure?: number
  readonly contrast?: number
  readonly saturation?: number
  /** Darkening towards the corners. */
  readonly vignette?: number
  readonly grain?: number
  /** The shoulder of film, for scenes with lights brighter than paper. */
  readonly hasFilmCurve?: boolean
}

/** Light that spills from what is brighter than a threshold, in place. */
export function bloom(raster: Raster, threshold: number, amount: number, radius: number): void {
  const near = shrink(raster, 4)
  for (let place = 0; place < near.data.length; place += 1) {
    near.data[place] = Math.max(0, Math.min(6, near.data[place] ?? 0) - threshold)
  }
  blur(near.data, near.width, near.height, 3, radius / 4)
  const far = makeRaster(near.width, near.height)
  far.data.set(near.data)
  blur(far.data, far.width, far.height, 3, (radius / 4) * 3)
  for (let place = 0; place < near.data.length; place += 1) {
    near.data[place] = ((near.data[place] ?? 0) + (far.data[place] ?? 0)) * 0.6 * amount
  }
  addEnlarged(raster, near, 4)
}

/** The curve of the Academy's film look, in Krzysztof Narkowicz's approximation. */
const filmCurve = (light: number) => (light * (2.51 * light + 0.03)) / (light * (2.43 * light + 0.59) + 0.14)

/** Grain a little coarser than a pixel, as film has it. */
function makeGrain(random: SeededRandom, width: number, height: number): Float32Array {
  const grid = width + 2
  const raw = new Float32Array(grid * (height + 2))
  for (let place = 0; place < raw.length; place += 1) {
    raw[place] = (random.next() + random.next() + random.next() - 1.5) * 1.15
  }
  const grain = new Float32Array(width * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const place = (y + 1) * grid + x + 1
      const around = (raw[place - 1] ?? 0) + (raw[place + 1] ?? 0) + (raw[place - grid] ?? 0) + (raw[place + grid] ?? 0)
      grain[y * width + x] = (raw[place] ?? 0) * 0.55 + around * 0.16
    }
  }
  return grain
}

const steps = 4096

/** Exposure, film curve, saturation, contrast, vignette and grain; 8-bit RGB comes out. */
export function develop({ width, height, data }: Raster, random: SeededRandom, finish: Finish): Uint8Array {
  const { exposure = 1, contrast = 1, saturation = 1, vignette = 0.25, grain = 0.02, hasFilmCurve = true } = finish
  const pixels = new Uint8Array(width * height * 3)
  const grains = makeGrain(random, width, height)
  const curve = Uint8Array.from({ length: steps + 1 }, (_, step) => Math.round(255 * clamp(toSrgb(step / steps))))
  const [middleX, middleY] = [width / 2, height / 2]
  const corner = hypot(middleX, middleY)
  // Millions of times: no calls that make arrays, and no closures.
  for (let y = 0, place = 0, pixel = 0; y < height; y += 1) {
    const down = (y - middleY) ** 2
    for (let x = 0; x < width; x += 1, place += 3, pixel += 1) {
      const off = Math.sqrt((x - middleX) * (x - middleX) + down) / corner
      const gain = exposure * (1 - vignette * off * off * (0.4 + 0.6 * off))
      let red = Math.max(0, (data[place] ?? 0) * gain)
      let green = Math.max(0, (data[place + 1] ?? 0) * gain)
      let blue = Math.max(0, (data[place + 2] ?? 0) * gain)
      if (hasFilmCurve) {
        red = filmCurve(red)
        green = filmCurve(green)
        blue = filmCurve(blue)
      }
      const grey = 0.2126 * red + 0.7152 * green + 0.0722 * blue
      const tone = Math.sqrt(clamp(grey))
      // Film shows its grain in the middle tones.
      const speck = (grains[pixel] ?? 0) * grain * (0.35 + 2.2 * tone * (1 - tone))
      pixels[place] = curve[toStep(mix(grey, red, saturation), contrast, speck)] ?? 0
      pixels[place + 1] = curve[toStep(mix(grey, green, saturation), contrast, speck)] ?? 0
      pixels[place + 2] = curve[toStep(mix(grey, blue, saturation), contrast, speck)] ?? 0
    }
  }
  return pixels
}

/** Where on the curve to 8 bits a light lies, with contrast and grain. */
function toStep(light: number, contrast: number, speck: number): number {
  const root = Math.sqrt(clamp(light))
  const stretched = clamp(root + (root - 0.5) * (contrast - 1) * (1 - Math.abs(root - 0.5) * 1.2) + speck)
  return Math.trunc(stretched * stretched * steps + 0.5)
}
