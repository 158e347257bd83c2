import { clamp, hypot, mix, smooth } from '../arithmetic.ts'
import { mixRgb, oklch, type Rgb } from '../colour.ts'
import type { Noise } from '../noise.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { MountainMood } from './mountain-moods.ts'
import { between, type Land } from './terrain.ts'

/** A point of the land and the ray that met it. */
export interface Meeting {
  readonly x: number
  readonly z: number
  readonly height: number
  /** Distance from the viewer, in sides of the land. */
  readonly away: number
  /** How far the ray goes to the right per unit of depth. */
  readonly sideways: number
}

/** The light on the land. */
export interface GroundLight {
  readonly mood: MountainMood
  readonly sun: Rgb
  readonly shadows: Float32Array
  readonly waterLevel: number
}

/**
 * Returns the colour of points of the land: rock, grass, woods and snow by slope and height, lit by sun and sky, seen
 * through haze.
 */
export function makeGround(land: Land, noise: Noise, random: SeededRandom, light: GroundLight) {
  const { mood, sun, shadows, waterLevel } = light
  const { side, heights } = land
  const isWooded = random.next() < mood.woods
  const snowLine = random.range(0.085, 0.135)
  const treeLine = snowLine * random.range(0.5, 0.72)
  const paleRock = oklch(0.46, 0.02, random.range(40, 80))
  const darkRock = oklch(0.33, 0.02, random.range(40, 270))
  const grass = oklch(0.41, 0.045, random.range(105, 122))
  const woods = oklch(0.27, 0.045, random.range(135, 155))
  const snow: Rgb = [0.86, 0.9, 0.97]
  const reach = 0.75
  const last = side - 1.01

  function slopeAt(x: number, z: number, height: number): Rgb {
    const [gx, gz] = [x * (side - 1), z * (side - 1)]
    const across =
      between(heights, side, Math.max(0, gx - reach), gz) - between(heights, side, Math.min(last, gx + reach), gz)
    const along =
      between(heights, side, gx, Math.max(0, gz - reach)) - between(heights, side, gx, Math.min(last, gz + reach))
    // The height is part of the noise, or a cliff would show vertical streaks.
    const rough = noise.at(x * 520 + 7 + height * 900, z * 520 - height * 700) * 0.35
    const fine = noise.at(x * 1500 - height * 2100, z * 1500 + 3 + height * 1700) * 0.24
    const nx = (across * side) / (2 * reach) + rough + fine
    const nz = (along * side) / (2 * reach) + noise.at(x * 520 - height * 800, z * 520 + 11 + height * 900) * 0.35
    const length = hypot(nx, 1, nz)
    return [nx / length, 1 / length, nz / length]
  }

  return ({ x, z, height, away, sideways }: Meeting): Rgb => {
    const normal = slopeAt(x, z, height)
    const up = normal[1]
    const strata = noise.at(height * 260 + noise.at(x * 30, z * 30) * 2, 3.3) * 0.5 + 0.5
    const patch = noise.at(x * 60, z * 60) * 0.03
    let colour = mixRgb(paleRock, darkRock, strata)
    colour = mixRgb(colour, grass, smooth(0.62, 0.8, up) * (1 - smooth(treeLine, treeLine + 0.06, height + patch)))
    let crowns = 1
    if (isWooded) {
      const low = 1 - smooth(treeLine * 0.7, treeLine * 0.95, height + patch * 1.5)
      const wood = smooth(0.5, 0.72, up) * low * smooth(-0.1, 0.25, noise.fractal(x * 22, z * 22, 3))
      crowns = mix(1, 0.45 + 0.9 * (noise.at(x * 1400, z * 1400) * 0.5 + 0.5), wood * smooth(0.02, 0.12, away))
      colour = mixRgb(colour, woods, wood)
    }
    const drift = noise.fractal(x * 35, z * 35, 3) * 0.05
    colour = mixRgb(colour, snow, smooth(snowLine - 0.02, snowLine + 0.035, height + drift) * smooth(0.5, 0.68, up))
    const shade =
      between(shadows, side, x * (side - 1), z * (side - 1)) - between(heights, side, x * (side - 1), z * (side - 1))
    const facing = Math.max(0, normal[0] * sun[0] + up * sun[1] + normal[2] * sun[2])
    const direct = facing * (1 - smooth(0, 0.004, shade)) * 2.1 * crowns
    const open = (0.42 + 0.58 * up) * mix(0.75, 1, crowns)
    const lit: Rgb = [
      colour[0] * (mood.sun[0] * direct + mood.ambient[0] * open),
      colour[1] * (mood.sun[1] * direct + mood.ambient[1] * open),
      colour[2] * (mood.sun[2] * direct + mood.ambient[2] * open),
    ]
    const thick = (away * 1.9) ** 1.6 * mood.haze * (0.8 + 1.6 * Math.exp(-Math.max(0, height - waterLevel) / 0.05))
    const sunward = Math.max(0, (sideways * sun[0] + sun[2]) / hypot(sideways, 1)) ** 8
    const air: Rgb = [
      mood.fog[0] + mood.sun[0] * 0.16 * sunward,
      mood.fog[1] + mood.sun[1] * 0.13 * sunward,
      mood.fog[2] + mood.sun[2] * 0.1 * sunward,
    ]
    return mixRgb(lit, air, clamp(1 - Math.exp(-thick), 0, 0.93))
  }
}
