import { clamp } from './arithmetic.ts'
import type { SeededRandom } from './seeded-random.ts'

/** Smooth noise over the plane, between about -1 and 1. */
export interface Noise {
  readonly at: (x: number, y: number) => number
  /** The sum of several octaves, for clouds, ground and mist. Between about -1 and 1. */
  readonly fractal: (x: number, y: number, octaves?: number, lacunarity?: number, gain?: number) => number
  /** Ridged octaves, each weighted by the one before, for mountain ridges. Between 0 and 1. */
  readonly ridged: (x: number, y: number, octaves?: number, lacunarity?: number, gain?: number) => number
}

const ease = (t: number) => t * t * t * (t * (t * 6 - 15) + 10)

/** Perlin's gradient noise with a random permutation. */
export function makeNoise(random: SeededRandom): Noise {
  const order = shuffled(random)
  // The gradient at each place of the permutation.
  const slopeX = Float32Array.from(order, (index) => Math.cos((index / 256) * 2 * Math.PI))
  const slopeY = Float32Array.from(order, (index) => Math.sin((index / 256) * 2 * Math.PI))
  const at = (x: number, y: number) => {
    const left = Math.floor(x)
    const top = Math.floor(y)
    const dx = x - left
    const dy = y - top
    const near = left & 255
    const far = (left + 1) & 255
    const above = order[top & 255] ?? 0
    const below = order[(top + 1) & 255] ?? 0
    const upperLeft = (slopeX[near + above] ?? 0) * dx + (slopeY[near + above] ?? 0) * dy
    const upperRight = (slopeX[far + above] ?? 0) * (dx - 1) + (slopeY[far + above] ?? 0) * dy
    const lowerLeft = (slopeX[near + below] ?? 0) * dx + (slopeY[near + below] ?? 0) * (dy - 1)
    const lowerRight = (slopeX[far + below] ?? 0) * (dx - 1) + (slopeY[far + below] ?? 0) * (dy - 1)
    const across = ease(dx)
    const upper = upperLeft + across * (upperRight - upperLeft)
    return (upper + ease(dy) * (lowerLeft + across * (lowerRight - lowerLeft) - upper)) * 1.5
  }
  return {
    at,
    fractal(x, y, octaves = 5, lacunarity = 2.03, gain = 0.5) {
      let sum = 0
      let total = 0
      let weight = 1
      for (let octave = 0; octave < octaves; octave += 1) {
        sum += weight * at(x, y)
        total += weight
        weight *= gain
        // Each octave is rotated, so that the grids of the octaves do not coincide.
        const turned = x * lacunarity * 0.8 - y * lacunarity * 0.6 + 17.3
        y = x * lacunarity * 0.6 + y * lacunarity * 0.8 + 9.1
        x = turned
      }
      return sum / total
    },
    ridged(x, y, octaves = 6, lacunarity = 2.05, gain = 0.5) {
      let sum = 0
      let total = 0
      let weight = 1
      let allowed = 1
      for (let octave = 0; octave < octaves; octave += 1) {
        const crease = (1 - Math.abs(at(x, y)) * 1.25) ** 2 * allowed
        allowed = clamp(crease * 1.8)
        sum += weight * crease
        total += weight
        weight *= gain
        const turned = x * lacunarity * 0.8 - y * lacunarity * 0.6 + 31.7
        y = x * lacunarity * 0.6 + y * lacunarity * 0.8 + 5.3
        x = turned
      }
      return sum / total
    },
  }
}

function shuffled(random: SeededRandom): Uint8Array {
  const order = Uint8Array.from({ length: 512 }, (_, index) => index & 255)
  for (let index = 255; index > 0; index -= 1) {
    const other = random.int(0, index)
    const kept = order[index] ?? 0
    order[index] = order[other] ?? 0
    order[other] = kept
  }
  order.copyWithin(256, 0, 256)
  return order
}
