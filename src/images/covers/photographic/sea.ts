import { clamp, mix, smooth } from '../arithmetic.ts'
import { add, mixRgb, oklch, type Rgb, scale } from '../colour.ts'
import { bloom } from '../develop.ts'
import { makeNoise, type Noise } from '../noise.ts'
import type { Paint } from '../painting.ts'
import { blend, blur, makeRaster, type Raster, setColour } from '../raster.ts'
import type { SeededRandom } from '../seeded-random.ts'

interface Mood {
  readonly name: string
  readonly zenith: Rgb
  readonly horizon: Rgb
  readonly sun: Rgb
  readonly deep: Rgb
  /** Height of the sun in radians. */
  readonly elevation: number
  readonly isStorm?: boolean
}

const moods: readonly [Mood, ...Mood[]] = [
  {
    name: 'at dawn',
    zenith: oklch(0.62, 0.05, 255),
    horizon: oklch(0.9, 0.055, 65),
    sun: [2, 1.35, 0.85],
    deep: oklch(0.24, 0.035, 230),
    elevation: 0.06,
  },
  {
    name: 'under storm clouds',
    zenith: oklch(0.44, 0.015, 245),
    horizon: oklch(0.76, 0.012, 235),
    sun: [0.45, 0.46, 0.48],
    deep: oklch(0.22, 0.025, 215),
    elevation: 0.5,
    isStorm: true,
  },
  {
    name: 'on a clear day',
    zenith: oklch(0.6, 0.085, 250),
    horizon: oklch(0.9, 0.025, 225),
    sun: [2, 1.9, 1.7],
    deep: oklch(0.3, 0.06, 225),
    elevation: 0.4,
  },
  {
    name: 'at dusk',
    zenith: oklch(0.36, 0.055, 275),
    horizon: oklch(0.78, 0.1, 45),
    sun: [2.2, 1.0, 0.55],
    deep: oklch(0.17, 0.03, 260),
    elevation: 0.03,
  },
]

interface Scene {
  readonly mood: Mood
  readonly noise: Noise
  readonly toSun: Rgb
  readonly seed: number
  /** How much of the sky is clouded, 0 to 1. */
  readonly clouds: number
  readonly waves: readonly Wave[]
}

interface Wave {
  readonly x: number
  readonly z: number
  readonly slope: number
  readonly phase: number
  readonly frequency: number
}

const eyeHeight = 2.4

/** Open water with sun glitter to a horizon, and sometimes a headland. */
export const sea: Paint = (width, height, random) => {
  const raster = makeRaster(width, height)
  const mood = random.pick(moods)
  const scene = makeScene(random, mood, width / height)
  const horizon = height * random.range(0.4, 0.56)
  const focus = height * 1.35
  for (let y = 0; y < height; y += 1) {
    const rise = (horizon - y) / focus
    for (let x = 0; x < width; x += 1) {
      const side = (x - width / 2) / focus
      setColour(raster, x, y, rise >= 0 ? skyTowards(scene, side, rise) : waterTowards(scene, side, rise, focus))
    }
  }
  if (random.next() < 0.6) drawHeadland(raster, scene, horizon, random)
  softenForeground(raster)
  bloom(raster, 0.85, 0.4, width / 36)
  return {
    raster,
    finish: { exposure: 0.85, contrast: 1.12, saturation: 1.03, vignette: 0.34, grain: 0.026 },
    scene: 'sea',
    alt: `Rendered seascape ${mood.name}`,
  }
}

function makeScene(random: SeededRandom, mood: Mood, aspect: number): Scene {
  const noise = makeNoise(random)
  // In a narrow picture the sun stands nearer to the middle, so that its path on the water is not cut off.
  const turn = random.range(-0.28, 0.28) * Math.min(1, (aspect * 9) / 16)
  const towards: Rgb = [Math.sin(turn), Math.sin(mood.elevation), Math.cos(turn)]
  const waves = Array.from({ length: 22 }, (_, index): Wave => {
    const frequency = 0.55 * 1.32 ** index
    const heading = random.gauss() * 0.55
    return {
      x: Math.sin(heading) * frequency,
      z: Math.cos(heading) * frequency,
      slope: (0.9 / frequency ** 1.12) * frequency,
      phase: random.range(0, 6.28),
      frequency,
    }
  })
  const clouds = mood.isStorm ? 0.95 : random.range(0.35, 0.7)
  return { mood, noise, toSun: scale(towards, 1 / Math.hypot(...towards)), seed: random.range(0, 99), clouds, waves }
}

const clearSky = ({ horizon, zenith }: Mood, up: number) => mixRgb(horizon, zenith, Math.sqrt(clamp(up * 1.9)))

function skyTowards({ mood, noise, toSun, seed, clouds }: Scene, side: number, rise: number): Rgb {
  const length = 1 / Math.hypot(side, rise, 1)
  const [x, y, z] = [side * length, rise * length, length]
  const facing = Math.max(0, x * toSun[0] + y * toSun[1] + z * toSun[2])
  const glow = facing ** 8 * 0.4 + facing ** 80 * 0.8 + (mood.isStorm ? 0 : facing ** 4000 * 18)
  const sky = add(clearSky(mood, y), [mood.sun[0] * 0.5, mood.sun[1] * 0.42, mood.sun[2] * 0.36], glow)
  if (y <= 0.002) return sky
  const far = 1 / (y + 0.075)
  const [u, v] = [x * far * 0.9 + seed, z * far * 0.55]
  const swirl = 0.8 * noise.at(u * 0.5, v * 0.5)
  const thick = noise.fractal(u * 0.7 + swirl, v * 1.3, 6) * 0.5 + 0.5
  const sunward = noise.fractal((u + toSun[0] * 0.15) * 0.7 + swirl, (v + 0.15) * 1.3, 4) * 0.5 + 0.5
  const lit = clamp(0.62 + (thick - sunward) * 2.2, 0.1, 1.3)
  const bright = add(scale(mood.horizon, 0.75), mood.sun, 0.16)
  const cover = smooth(1 - clouds * 0.9, 1.05, thick + 0.14) * smooth(0, 0.06, y) * 0.9
  return mixRgb(sky, mixRgb(scale(mood.zenith, 0.62), bright, lit), cover)
}

function waterTowards({ mood, noise, toSun, waves }: Scene, side: number, rise: number, focus: number): Rgb {
  const away = eyeHeight / -rise
  const [px, pz] = [side * away + 500, away]
  // What one pixel covers out there; waves shorter than that would only flicker.
  const footprint = (away * away) / (eyeHeight * focus)
  let [slopeX, slopeZ, swell] = [0, 0, 0]
  for (const wave of waves) {
    const seen = 1 / (1 + (wave.frequency * footprint * 1.4) ** 2)
    if (seen < 0.03) break
    const phase = px * wave.x + pz * wave.z + wave.phase
    const crest = Math.exp(Math.sin(phase) - 1)
    const slope = (Math.cos(phase) * crest * wave.slope * seen) / wave.frequency
    slopeX += slope * wave.x
    slopeZ += slope * wave.z
    swell += (crest * wave.slope * seen) / wave.frequency
  }
  const steep = mood.isStorm ? 0.184 : 0.115
  const up = 1 / Math.hypot(slopeX * steep, 1, slopeZ * steep)
  const normal: Rgb = [-slopeX * steep * up, up, -slopeZ * steep * up]
  const length = 1 / Math.hypot(side, rise, 1)
  const view: Rgb = [side * length, rise * length, length]
  const facing = view[0] * normal[0] + view[1] * normal[1] + view[2] * normal[2]
  const [rx, ry, rz] = [
    view[0] - 2 * facing * normal[0],
    Math.abs(view[1] - 2 * facing * normal[1]),
    view[2] - 2 * facing * normal[2],
  ]
  const sunward = Math.max(0, rx * toSun[0] + ry * toSun[1] + rz * toSun[2])
  const smoothness = 1 / (1 + footprint * 0.6)
  const glitter =
    sunward ** 10 * 0.35 + (mood.isStorm ? 0 : sunward ** (120 + 400 * smoothness) * (2.2 + 3 * smoothness))
  const mirrored = add(clearSky(mood, ry), [mood.sun[0], mood.sun[1] * 0.9, mood.sun[2] * 0.8], glitter)
  const shallow: Rgb = [mood.deep[0] * 1.3 + 0.01, mood.deep[1] * 1.9 + 0.03, mood.deep[2] * 1.7 + 0.03]
  const body = mixRgb(mood.deep, shallow, clamp(swell * 0.5) * 0.5)
  const fresnel = 0.02 + 0.98 * (1 - clamp(-facing)) ** 5
  let colour = mixRgb(body, mirrored, clamp(fresnel * 0.95 + 0.03))
  if (mood.isStorm) {
    const foam =
      smooth(1.02, 1.4, swell * 0.42 + noise.fractal(px * 0.35, pz * 0.2, 3) * 0.5) *
      smooth(90, 8, away) *
      smooth(3, 14, away) *
      (0.35 + 0.65 * smooth(-0.15, 0.45, noise.fractal(px * 3.1, pz * 1.4, 4)))
    colour = mixRgb(colour, [0.74, 0.77, 0.79], foam * 0.6)
  }
  const glow = Math.max(0, view[0] * toSun[0] + view[2] * toSun[2]) ** 20
  const haze = add(mood.horizon, [mood.sun[0] * 0.2, mood.sun[1] * 0.15, mood.sun[2] * 0.1], glow)
  return mixRgb(colour, haze, (1 - Math.exp(-((away / 240) ** 1.4))) * 0.85)
}

function drawHeadland(raster: Raster, { mood, noise }: Scene, horizon: number, random: SeededRandom): void {
  const { width, height } = raster
  const isRight = random.sign() > 0
  const reach = random.range(0.25, 0.5) * width
  const tall = height * random.range(0.03, 0.07)
  const seed = random.range(0, 50)
  const colour = scale(mixRgb(mood.horizon, mood.zenith, 0.75), 0.55)
  for (let x = 0; x < width; x += 1) {
    const out = (isRight ? width - x : x) / reach
    if (out > 1) continue
    const rough = 0.6 + 0.55 * (noise.fractal((x / width) * 9 + seed, 1, 5) + 0.4)
    const top = horizon - tall * (1 - out) ** 0.6 * rough
    for (let y = Math.max(0, Math.floor(top)); y < horizon + 1; y += 1) {
      blend(raster, x, Math.min(height - 1, y), colour, clamp(y + 1 - top) * 0.88)
    }
  }
}

/** The nearest water is out of focus. */
function softenForeground({ width, height, data }: Raster): void {
  const soft = data.slice()
  blur(soft, width, height, 3, width / 380)
  for (let y = Math.floor(height * 0.86); y < height; y += 1) {
    const share = smooth(0.86, 1.02, y / height) * 0.9
    for (let place = y * width * 3; place < (y + 1) * width * 3; place += 1) {
      data[place] = mix(data[place] ?? 0, soft[place] ?? 0, share)
    }
  }
}
