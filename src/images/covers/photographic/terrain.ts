import { clamp, hypot, mix, smooth } from '../arithmetic.ts'
import type { Noise } from '../noise.ts'
import { blur } from '../raster.ts'
import type { SeededRandom } from '../seeded-random.ts'

/** A square height map, row by row; the viewer is at the first row. */
export interface Land {
  readonly side: number
  /** Heights, in sides of the square. */
  readonly heights: Float32Array
  /** Where the valley that the viewer looks along is, across the square, at a depth from 0 to 1. */
  readonly valleyAt: (depth: number) => number
}

const side = 384
const drops = 16_000
const dropLife = 48

/** Makes mountains on both sides of a valley, eroded by rain. */
export function makeLand(noise: Noise, random: SeededRandom): Land {
  const [fromX, fromY, pace] = [random.range(0, 200), random.range(0, 200), random.range(3, 4.2)]
  const valleyAt = (depth: number) => 0.5 + 0.08 * Math.sin(depth * 5 + fromX)
  const heights = new Float32Array(side * side)
  for (let y = 0; y < side; y += 1) {
    const depth = y / side
    // The land near the viewer is low, so that it is under water.
    const rise = mix(0.42, 1, smooth(0.1, 0.7, depth)) * mix(0.4, 1, smooth(0.04, 0.22, depth)) * 0.27
    for (let x = 0; x < side; x += 1) {
      const [u, v] = [(x / side) * pace + fromX, depth * pace + fromY]
      const bentX = u + noise.fractal(u * 1.1 + 5, v * 1.1, 3) * 0.55
      const bentY = v + noise.fractal(u * 1.1, v * 1.1 + 9, 3) * 0.55
      const massif = noise.fractal(u * 0.5 + 40, v * 0.5, 3) * 0.5 + 0.5
      const crest = noise.ridged(bentX, bentY, 7, 2.05, 0.44) * 0.9 * (0.45 + 0.75 * massif)
      const off = Math.abs(x / side - valleyAt(depth)) + 0.03 * noise.at(u * 3, v * 3)
      heights[y * side + x] = (crest * 0.75 + crest * crest * 0.35) * mix(0.16, 1, smooth(0.02, 0.3, off)) * rise
    }
  }
  erode(heights, random)
  // Erosion leaves spikes where two valleys meet at a peak, so nothing may stand out far from its surroundings.
  const [even, wide] = [heights.slice(), heights.slice()]
  blur(even, side, side, 1, 1)
  blur(wide, side, side, 1, 5)
  for (let place = 0; place < heights.length; place += 1) {
    const worn = mix(heights[place] ?? 0, even[place] ?? 0, 0.9)
    const spur = worn - (wide[place] ?? 0)
    heights[place] = rounded(spur > tallestSpur ? worn - (spur - tallestSpur) * 0.8 : worn)
  }
  return { side, heights, valleyAt }
}

/** Largest height above the mean of the surroundings. */
const tallestSpur = 0.008
const summit = 0.13

/** Compresses heights above the summit level. */
const rounded = (height: number) => (height > summit ? summit + (height - summit) * 0.62 : height)

/** Bilinear interpolation in a square grid. */
export function between(grid: Float32Array, size: number, x: number, y: number): number {
  const left = Math.floor(x)
  const top = Math.floor(y)
  const dx = x - left
  const dy = y - top
  const place = top * size + left
  const upper = (grid[place] ?? 0) * (1 - dx) + (grid[place + 1] ?? 0) * dx
  const lower = (grid[place + size] ?? 0) * (1 - dx) + (grid[place + size + 1] ?? 0) * dx
  return upper * (1 - dy) + lower * dy
}

/**
 * Erosion: drops of rain run downhill, carry earth where they are fast and drop it where they are slow. These are up to
 * a million steps, so there are no arrays for pairs of numbers, and the four heights around a drop are read once.
 */
function erode(heights: Float32Array, random: SeededRandom): void {
  for (let drop = 0; drop < drops; drop += 1) {
    let x = random.range(1, side - 2)
    let y = random.range(1, side - 2)
    let headingX = 0
    let headingY = 0
    let speed = 1
    let water = 1
    let earth = 0
    for (let step = 0; step < dropLife; step += 1) {
      const left = Math.floor(x)
      const top = Math.floor(y)
      const dx = x - left
      const dy = y - top
      const place = top * side + left
      const a = heights[place] ?? 0
      const b = heights[place + 1] ?? 0
      const c = heights[place + side] ?? 0
      const d = heights[place + side + 1] ?? 0
      headingX = headingX * 0.1 - ((b - a) * (1 - dy) + (d - c) * dy) * 0.9
      headingY = headingY * 0.1 - ((c - a) * (1 - dx) + (d - b) * dx) * 0.9
      const length = hypot(headingX, headingY)
      if (length < 1e-9) break
      headingX /= length
      headingY /= length
      const nextX = x + headingX
      const nextY = y + headingY
      if (nextX < 1 || nextY < 1 || nextX >= side - 2 || nextY >= side - 2) break
      const here = (a * (1 - dx) + b * dx) * (1 - dy) + (c * (1 - dx) + d * dx) * dy
      const fall = between(heights, side, nextX, nextY) - here
      const carried = Math.max(-fall, 0.0004) * speed * water * 5
      const change =
        fall > 0
          ? Math.min(fall, earth)
          : earth > carried
            ? (earth - carried) * 0.3
            : -Math.min((carried - earth) * 0.3, -fall)
      earth -= change
      heights[place] = a + change * (1 - dx) * (1 - dy)
      heights[place + 1] = b + change * dx * (1 - dy)
      heights[place + side] = c + change * (1 - dx) * dy
      heights[place + side + 1] = d + change * dx * dy
      speed = Math.sqrt(Math.max(0.05, speed * speed - fall * 40))
      water *= 0.985
      x = nextX
      y = nextY
    }
  }
}

/** For each place, the height below which it lies in the shadow of something towards the sun. */
export function castShadows({ side: size, heights }: Land, sun: readonly [x: number, y: number, z: number]) {
  const [sunX, sunY, sunZ] = sun
  const shadows = heights.slice()
  const towards = sunX < 0 ? -1 : 1
  const aside = sunZ / Math.max(1e-6, Math.abs(sunX))
  const fall = (hypot(1, aside) / size) * (sunY / hypot(sunX, sunZ))
  for (let column = 1; column < size; column += 1) {
    const x = towards > 0 ? size - 1 - column : column
    for (let y = 0; y < size; y += 1) {
      const from = clamp(y + aside, 0, size - 1.001)
      const top = Math.floor(from)
      const share = from - top
      const nearer = x + towards
      const upper = shadows[top * size + nearer] ?? 0
      const lower = shadows[Math.min(size - 1, top + 1) * size + nearer] ?? 0
      const place = y * size + x
      shadows[place] = Math.max(heights[place] ?? 0, upper * (1 - share) + lower * share - fall)
    }
  }
  return shadows
}
