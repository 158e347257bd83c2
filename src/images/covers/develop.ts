import { clamp, hypot, mix } from './arithmetic.ts'
import { toSrgb } from './colour.ts'
import { addEnlarged, blur, makeRaster, type Raster, shrink } from './raster.ts'
import type { SeededRandom } from './seeded-random.ts'

/** Settings for the conversion of linear light to 8 bits. */
export interface Finish {
  readonly exposure?: number
  readonly contrast?: number
  readonly saturation?: number
  /** Darkening towards the corners. */
  readonly vignette?: number
  readonly grain?: number
  /** Whether highlights are compressed as on film, for scenes with lights brighter than white paper. */
  readonly hasFilmCurve?: boolean
}

/** Adds a glow around everything brighter than a threshold, in place. */
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

/** The ACES film curve, in Krzysztof Narkowicz's approximation. */
const filmCurve = (light: number) => (light * (2.51 * light + 0.03)) / (light * (2.43 * light + 0.59) + 0.14)

const tile = 256

/** A tile of film grain, a little coarser than a pixel. It repeats without seams. */
function makeGrain(random: SeededRandom): Float32Array {
  const raw = new Float32Array(tile * tile)
  for (let place = 0; place < raw.length; place += 1) {
    raw[place] = (random.next() + random.next() + random.next() - 1.5) * 1.15
  }
  const at = (x: number, y: number) => raw[((y & 255) << 8) + (x & 255)] ?? 0
  const grains = new Float32Array(tile * tile)
  for (let place = 0; place < raw.length; place += 1) {
    const x = place & 255
    const y = place >> 8
    grains[place] = (raw[place] ?? 0) * 0.55 + (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1)) * 0.16
  }
  return grains
}

const steps = 4096
/** Maps the square root of linear light (in `steps`) to 8-bit sRGB. */
const curve = Uint8Array.from({ length: steps + 1 }, (_, step) => Math.round(255 * clamp(toSrgb((step / steps) ** 2))))

/** Converts a picture in linear light to 8-bit RGB: exposure, film curve, saturation, contrast, vignette and grain. */
export function develop({ width, height, data }: Raster, random: SeededRandom, finish: Finish): Uint8Array {
  const { exposure = 1, contrast = 1, saturation = 1, vignette = 0.25, grain = 0.02, hasFilmCurve = true } = finish
  const pixels = new Uint8Array(width * height * 3)
  const gainAt = (off: number) => exposure * (1 - vignette * off * off * (0.4 + 0.6 * off))
  const grains = makeGrain(random)
  const middle = width / 2
  const corner = hypot(middle, height / 2)
  const gains = new Float64Array(width)
  for (let y = 0, place = 0; y < height; y += 1) {
    const down = (y - height / 2) ** 2
    // The vignette is symmetric, so the right half of a row reuses the left one.
    for (let x = 0; x < width; x += 1) {
      const mirrored = width - x
      gains[x] = mirrored < x ? (gains[mirrored] ?? 0) : gainAt(Math.sqrt((x - middle) * (x - middle) + down) / corner)
    }
    const row = (y & 255) << 8
    for (let x = 0; x < width; x += 1, place += 3) {
      const gain = gains[x] ?? 0
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
      const speck = (grains[row + (x & 255)] ?? 0) * grain * (0.35 + 2.2 * tone * (1 - tone))
      pixels[place] = curve[toStep(mix(grey, red, saturation), contrast, speck)] ?? 0
      pixels[place + 1] = curve[toStep(mix(grey, green, saturation), contrast, speck)] ?? 0
      pixels[place + 2] = curve[toStep(mix(grey, blue, saturation), contrast, speck)] ?? 0
    }
  }
  return pixels
}

/** The index in `curve` of a light, with contrast and grain. */
function toStep(light: number, contrast: number, speck: number): number {
  const root = Math.sqrt(clamp(light))
  const off = root - 0.5
  const stretched = clamp(root + off * (contrast - 1) * (1 - Math.abs(off) * 1.2) + speck)
  // Truncated by a bit operation: the number is small enough for it, and `Math.trunc` takes longer.
  return (stretched * steps + 0.5) | 0
}

/** Adds grain to an 8-bit picture, in place. */
export function addGrain(pixels: Uint8Array, width: number, random: SeededRandom, grain: number): void {
  const grains = makeGrain(random)
  const strength = Float32Array.from({ length: 256 }, (_, tone) => {
    const share = tone / 255
    return grain * 255 * (0.35 + 2.2 * share * (1 - share))
  })
  const wide = width * 3
  for (let start = 0, y = 0; start < pixels.length; start += wide, y += 1) {
    const row = (y & 255) << 8
    for (let place = start, x = 0; x < width; place += 3, x += 1) {
      const green = pixels[place + 1] ?? 0
      const speck = (grains[row + (x & 255)] ?? 0) * (strength[green] ?? 0) + 0.5
      pixels[place] = clamp((pixels[place] ?? 0) + speck, 0, 255)
      pixels[place + 1] = clamp(green + speck, 0, 255)
      pixels[place + 2] = clamp((pixels[place + 2] ?? 0) + speck, 0, 255)
    }
  }
}
