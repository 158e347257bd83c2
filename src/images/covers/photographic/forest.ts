import { clamp, hypot, mix, smooth } from '../arithmetic.ts'
import { mixRgb, oklch, type Rgb } from '../colour.ts'
import { bloom } from '../develop.ts'
import { makeNoise, type Noise } from '../noise.ts'
import type { Paint } from '../painting.ts'
import { blur, makeRaster, paint, type Raster, spread } from '../raster.ts'
import type { SeededRandom } from '../seeded-random.ts'

interface Mood {
  readonly name: string
  readonly light: Rgb
  readonly mist: Rgb
  readonly dark: Rgb
}

const moods: readonly [Mood, ...Mood[]] = [
  { name: 'in cool mist', light: oklch(0.9, 0.008, 240), mist: oklch(0.8, 0.015, 235), dark: oklch(0.22, 0.018, 225) },
  { name: 'in green mist', light: oklch(0.91, 0.018, 150), mist: oklch(0.8, 0.03, 155), dark: oklch(0.21, 0.028, 160) },
  { name: 'at dawn', light: oklch(0.92, 0.05, 75), mist: oklch(0.8, 0.055, 50), dark: oklch(0.22, 0.025, 30) },
  { name: 'at nightfall', light: oklch(0.78, 0.035, 245), mist: oklch(0.6, 0.05, 250), dark: oklch(0.16, 0.03, 255) },
]

const layers = 7

interface Wood {
  readonly raster: Raster
  readonly noise: Noise
  readonly random: SeededRandom
  readonly mood: Mood
  readonly sunX: number
  readonly sunY: number
}

/** Rows of conifers that fade into mist, the nearest out of focus. */
export const forest: Paint = (width, height, random) => {
  const raster = makeRaster(width, height)
  const noise = makeNoise(random)
  const mood = random.pick(moods)
  const wood: Wood = {
    raster,
    noise,
    random,
    mood,
    sunX: random.range(0.25, 0.75) * width,
    sunY: random.range(0.12, 0.34) * height,
  }
  const bright: Rgb = [mood.light[0] * 1.25, mood.light[1] * 1.2, mood.light[2] * 1.1]
  const clouds = spread(width, height, 4, (x, y) => noise.fractal((x / width) * 3, (y / height) * 3, 4) * 0.05)
  paint(raster, (x, y) => {
    const away = hypot(x - wood.sunX, (y - wood.sunY) * 1.1) / width
    const cloud = clouds(x, y)
    const sky = mixRgb(mood.mist, mood.light, clamp(0.35 + (y / height) * 0.55 + cloud))
    return mixRgb(sky, bright, Math.exp(-away * away * 9) * 0.8)
  })
  const glowAt = spread(width, height, 8, (x, y) => Math.exp((-hypot(x - wood.sunX, y - wood.sunY) / width) * 7) * 0.35)
  for (let layer = 0; layer < layers; layer += 1) drawLayer(wood, layer, glowAt)
  drawShafts(wood)
  bloom(raster, 0.75, 0.35, width / 30)
  return {
    raster,
    finish: { exposure: 0.86, contrast: 1.14, saturation: 0.96, vignette: 0.38, grain: 0.03 },
    scene: 'forest',
    alt: `Rendered landscape of conifers ${mood.name}`,
  }
}

/** Draws one row of trees: first its outline, then its colour as the mist in front of it lets through. */
function drawLayer(wood: Wood, layer: number, glowAt: (x: number, y: number) => number): void {
  const { raster, noise, random, mood } = wood
  const { width, height, data } = raster
  const near = layer / (layers - 1)
  const outline = new Float32Array(width * height)
  const base = height * mix(0.44, 1.03, near ** 1.15)
  const tall = height * mix(0.055, 0.6, near ** 1.7)
  const seed = random.range(0, 99)
  const groundAt = (x: number) =>
    base +
    noise.fractal((x / width) * mix(3.2, 1.2, near) + seed, layer * 3.1, 4) * height * mix(0.06, 0.09, near) * 1.6
  const count = Math.round((mix(190, 13, near ** 0.7) * (width / height)) / 1.78)
  for (let tree = 0; tree < count; tree += 1) {
    const clump = noise.at(tree * 0.37 + seed, layer) * 0.5 + 0.5
    if (random.next() < 0.25 * (1 - clump)) continue
    const x = random.range(-0.05, 1.05) * width
    const size = tall * random.range(0.55, 1.15) * (0.7 + 0.5 * clump)
    drawConifer(outline, raster, { x, foot: groundAt(clamp(x, 0, width - 1)) + size * 0.1, size, near }, noise, random)
  }
  for (let x = 0; x < width; x += 1) {
    const ground = groundAt(x) + noise.at(x * 0.08, layer) * 2
    for (let y = Math.max(0, Math.floor(ground)); y < height; y += 1) {
      const place = y * width + x
      outline[place] = Math.max(outline[place] ?? 0, Math.min(1, y + 1 - ground))
    }
  }
  if (layer === layers - 1) blur(outline, width, height, 1, width / 260)
  if (layer === 0) blur(outline, width, height, 1, 1)
  const colour = mixRgb(mood.mist, mood.dark, clamp(0.12 + near * 0.95))
  const first = Math.max(0, Math.floor(base - tall * 1.5 - height * 0.15))
  const fogAt = spread(
    width,
    height,
    8,
    (x, y) => noise.fractal((x / width) * 2.4 + layer * 5, (y / height) * 4 + layer, 3) * 0.5 + 0.5,
  )
  for (let y = first; y < height; y += 1) {
    const foot = smooth(base - tall * 0.75, base + height * 0.05, y) * (1 - near * 0.55)
    for (let x = 0; x < width; x += 1) {
      const covered = outline[y * width + x] ?? 0
      if (covered <= 0.004) continue
      const fog = fogAt(x, y)
      const glow = near < 1 ? glowAt(x, y) * (1 - near) : 0
      const opacity = clamp((near * 0.97 + 0.05) * (1 - 0.82 * foot * (0.55 + 0.6 * fog)) - glow) * covered
      const place = (y * width + x) * 3
      for (let channel = 0; channel < 3; channel += 1) {
        const below = data[place + channel] ?? 0
        data[place + channel] = below + ((colour[channel] ?? 0) - below) * opacity
      }
    }
  }
}

interface Conifer {
  readonly x: number
  readonly foot: number
  readonly size: number
  readonly near: number
}

/** A trunk and whorls of drooping branches, ragged on both sides. */
function drawConifer(
  outline: Float32Array,
  { width, height }: Raster,
  { x, foot, size, near }: Conifer,
  noise: Noise,
  random: SeededRandom,
): void {
  const wide = size * random.range(0.17, 0.26)
  const lean = random.range(-0.02, 0.02)
  const phase = random.range(0, 10)
  const whorls = random.range(17, 27)
  const taper = random.range(0.62, 0.9)
  const top = foot - size
  const trunk = Math.max(1, Math.round(size * 0.008))
  const gap = Math.max(0.35, near * 1.3)
  const last = Math.min(height - 1, Math.ceil(foot + height * 0.02))
  for (let y = Math.max(0, Math.floor(top)); y <= last; y += 1) {
    const down = (y - top) / size
    const middle = x + lean * (foot - y) + noise.at(phase, y * 0.01) * size * 0.006
    const droop = (((down * whorls + phase) % 1) + 1) % 1
    const full = clamp(down * 1.04) ** taper * (1 - 0.25 * smooth(0.8, 1, down))
    const half =
      wide * full * (0.58 + 0.42 * droop) * (0.82 + 0.42 * noise.at(down * whorls * 0.9, phase + 3)) + size * 0.005
    const stem = Math.floor(middle)
    if (down > 0.03) {
      for (let px = Math.max(0, stem - trunk); px <= Math.min(width - 1, stem + trunk); px += 1)
        outline[y * width + px] = 1
    }
    for (const side of [-1, 1]) {
      const ragged =
        0.42 * noise.at(down * whorls * 1.35 + side * 9, phase * 7 + side * 3) +
        0.22 * noise.at(down * size * 0.35, phase + side) +
        0.12 * noise.at(down * size * 0.9, phase - side)
      const reach = half * (1 + ragged)
      const [from, to] = side < 0 ? [middle - reach, middle] : [middle, middle + reach]
      for (let px = Math.max(0, Math.floor(from)); px <= Math.min(width - 1, Math.floor(to)); px += 1) {
        const out = Math.abs(px + 0.5 - middle) / Math.max(1, reach)
        const needles = noise.at((px * 0.16) / gap, (y * 0.24) / gap + phase) + 0.75 - (out - 0.45)
        const holes = out > 0.45 ? smooth(0.05, 0.55, needles) : 1
        const covered = Math.min(1, Math.min(px + 1, to) - Math.max(px, from)) * holes
        const place = y * width + px
        if (covered > (outline[place] ?? 0)) outline[place] = covered
      }
    }
  }
}

const directions = 4096

/** Shafts of light that fall through the crowns. */
function drawShafts({ raster, noise, mood, sunX, sunY }: Wood): void {
  const { width, height, data } = raster
  // Brightness of the shafts by direction, all the way round.
  const shafts = Float32Array.from({ length: directions + 2 }, (_, direction) => {
    const angle = (direction / directions - 0.5) * 2 * Math.PI
    return clamp(noise.fractal(angle * 9, 1.7, 3) * 0.5 + 0.55) ** 3 * 0.3
  })
  const shaftAt = spread(width, height, 4, (x, y) => {
    const turn = (Math.atan2(y - sunY + height * 0.5, x - sunX) / (2 * Math.PI) + 0.5) * directions
    const before = Math.floor(turn)
    const bright = mix(shafts[before] ?? 0, shafts[before + 1] ?? 0, turn - before)
    return bright * Math.exp((-hypot(x - sunX, y - sunY) / width) * 1.8)
  })
  for (let y = 0, place = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const shaft = shaftAt(x, y)
      for (let channel = 0; channel < 3; channel += 1, place += 1) {
        const below = data[place] ?? 0
        data[place] = below + (mood.light[channel] ?? 0) * shaft * (1 - Math.min(1, below))
      }
    }
  }
}
