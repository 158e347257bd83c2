import { clamp, mix, smooth } from '../arithmetic.ts'
import type { Rgb } from '../colour.ts'
import type { Noise } from '../noise.ts'
import type { Raster } from '../raster.ts'
import { clearSkyShare, type SeaMood } from './sea-moods.ts'

/** One of the waves whose sum is the surface of the water. */
export interface Wave {
  readonly x: number
  readonly z: number
  readonly slope: number
  readonly phase: number
  readonly frequency: number
}

interface Water {
  readonly mood: SeaMood
  readonly noise: Noise
  readonly toSun: Rgb
  readonly waves: readonly Wave[]
}

interface View {
  readonly horizon: number
  readonly focus: number
}

const eyeHeight = 2.4
/** Sideways offset of the viewer, so that the centre of the wave pattern is not in the picture. */
const aside = 500

/** Draws everything below the horizon. A row has one distance, so most values are computed once per row. */
export function drawWater(raster: Raster, water: Water, { horizon, focus }: View): void {
  const { width, height } = raster
  const { mood, waves, toSun } = water
  const surface = makeSurface(waves)
  const steep = mood.isStorm ? 0.184 : 0.115
  for (let y = Math.max(0, Math.floor(horizon) + 1); y < height; y += 1) {
    const rise = (horizon - y) / focus
    const away = eyeHeight / -rise
    // The depth that one pixel covers at this distance; shorter waves would only flicker.
    const footprint = (away * away) / (eyeHeight * focus)
    const smoothness = 1 / (1 + footprint * 0.6)
    const sharpness = 120 + 400 * smoothness
    const spark = 2.2 + 3 * smoothness
    const haze = (1 - Math.exp(-((away / 240) ** 1.4))) * 0.85
    const acrossStep = 1 / focus
    surface.begin(-width / 2 / focus, acrossStep, away, footprint)
    for (let x = 0; x < width; x += 1) {
      surface.next()
      const up = 1 / Math.sqrt((surface.slopeX * steep) ** 2 + 1 + (surface.slopeZ * steep) ** 2)
      const normalX = -surface.slopeX * steep * up
      const normalZ = -surface.slopeZ * steep * up
      const side = (x - width / 2) / focus
      const length = 1 / Math.sqrt(side * side + rise * rise + 1)
      const viewX = side * length
      const viewY = rise * length
      const facing = viewX * normalX + viewY * up + length * normalZ
      const mirroredX = viewX - 2 * facing * normalX
      const mirroredY = Math.abs(viewY - 2 * facing * up)
      const mirroredZ = length - 2 * facing * normalZ
      const sunward = Math.max(0, mirroredX * toSun[0] + mirroredY * toSun[1] + mirroredZ * toSun[2])
      const glitter = sunward ** 10 * 0.35 + (mood.isStorm ? 0 : sunward ** sharpness * spark)
      const fresnel = 0.02 + 0.98 * (1 - clamp(-facing)) ** 5
      const mirrored = clamp(fresnel * 0.95 + 0.03)
      const sky = clearSkyShare(mirroredY)
      const shallow = clamp(surface.swell * 0.5) * 0.5
      const foam = mood.isStorm ? foamAt(water.noise, side * away + aside, away, surface.swell) * 0.6 : 0
      const glow = Math.max(0, viewX * toSun[0] + length * toSun[2]) ** 20
      const place = (y * width + x) * 3
      for (let channel = 0; channel < 3; channel += 1) {
        const deep = mood.deep[channel] ?? 0
        const body = mix(deep, deep * (shallowGain[channel] ?? 1) + (shallowLight[channel] ?? 0), shallow)
        const sun = mood.sun[channel] ?? 0
        const bright = mix(mood.horizon[channel] ?? 0, mood.zenith[channel] ?? 0, sky)
        const wet = mix(body, bright + sun * (mirroredSun[channel] ?? 1) * glitter, mirrored)
        const white = mix(wet, foamColour[channel] ?? 1, foam)
        const air = (mood.horizon[channel] ?? 0) + sun * (hazySun[channel] ?? 0) * glow
        raster.data[place + channel] = mix(white, air, haze)
      }
    }
  }
}

const shallowGain: Rgb = [1.3, 1.9, 1.7]
const shallowLight: Rgb = [0.01, 0.03, 0.03]
const mirroredSun: Rgb = [1, 0.9, 0.8]
const hazySun: Rgb = [0.2, 0.15, 0.1]
const foamColour: Rgb = [0.74, 0.77, 0.79]

function foamAt(noise: Noise, x: number, away: number, swell: number): number {
  const reach = smooth(90, 8, away) * smooth(3, 14, away)
  if (reach <= 0) return 0
  const crest = smooth(1.02, 1.4, swell * 0.42 + noise.fractal(x * 0.35, away * 0.2, 3) * 0.5)
  if (crest <= 0) return 0
  return crest * reach * (0.35 + 0.65 * smooth(-0.15, 0.45, noise.fractal(x * 3.1, away * 1.4, 4)))
}

const lowest = Math.exp(-1)

/** The sum of the waves along a row, pixel by pixel. */
function makeSurface(waves: readonly Wave[]) {
  const [sines, cosines] = [new Float64Array(waves.length), new Float64Array(waves.length)]
  const [turnSines, turnCosines] = [new Float64Array(waves.length), new Float64Array(waves.length)]
  const gains = new Float64Array(waves.length)
  const towardsX = Float64Array.from(waves, (wave) => wave.x)
  const towardsZ = Float64Array.from(waves, (wave) => wave.z)
  let seen = 0
  const surface = {
    slopeX: 0,
    slopeZ: 0,
    swell: 0,
    /** Moves to the first pixel of a row that starts at `across` and is `away` from the viewer. */
    begin(across: number, step: number, away: number, footprint: number): void {
      seen = 0
      for (const wave of waves) {
        const share = 1 / (1 + (wave.frequency * footprint * 1.4) ** 2)
        if (share < 0.05) break
        const turn = step * away * wave.x
        const phase = (across * away + aside) * wave.x + away * wave.z + wave.phase - turn
        sines[seen] = Math.sin(phase)
        cosines[seen] = Math.cos(phase)
        turnSines[seen] = Math.sin(turn)
        turnCosines[seen] = Math.cos(turn)
        gains[seen] = (wave.slope * share) / wave.frequency
        seen += 1
      }
    },
    next(): void {
      let slopeX = 0
      let slopeZ = 0
      let swell = 0
      for (let wave = 0; wave < seen; wave += 1) {
        // A turn by a fixed angle costs less than a sine.
        const sine = sines[wave] ?? 0
        const cosine = cosines[wave] ?? 0
        const turnSine = turnSines[wave] ?? 0
        const turnCosine = turnCosines[wave] ?? 1
        const height = sine * turnCosine + cosine * turnSine
        const lean = cosine * turnCosine - sine * turnSine
        sines[wave] = height
        cosines[wave] = lean
        // `Math.exp(height - 1)` for heights from -1 to 1, accurate to 0.001, in a fifth of the time (Taylor series).
        // Inlined, because it runs millions of times per picture and a call would allocate each number on the heap.
        const terms = 1 + height * (1 / 2 + height * (1 / 6 + height * (1 / 24 + height / 120)))
        const crest = lowest * (1 + height * terms) * (gains[wave] ?? 0)
        const slope = lean * crest
        slopeX += slope * (towardsX[wave] ?? 0)
        slopeZ += slope * (towardsZ[wave] ?? 0)
        swell += crest
      }
      surface.slopeX = slopeX
      surface.slopeZ = slopeZ
      surface.swell = swell
    },
  }
  return surface
}
