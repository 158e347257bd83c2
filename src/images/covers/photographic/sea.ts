import { clamp, hypot, mix, smooth } from '../arithmetic.ts'
import { add, mixRgb, type Rgb, scale } from '../colour.ts'
import { bloom } from '../develop.ts'
import { makeNoise, type Noise } from '../noise.ts'
import type { Paint } from '../painting.ts'
import { addEnlarged, blend, blur, makeRaster, paint, type Raster } from '../raster.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { clearSky, type SeaMood, seaMoods } from './sea-moods.ts'
import { drawWater, type Wave } from './sea-water.ts'

interface Scene {
  readonly mood: SeaMood
  readonly noise: Noise
  readonly toSun: Rgb
  readonly seed: number
  /** Cloud cover, 0 to 1. */
  readonly clouds: number
  readonly waves: readonly Wave[]
}

/** Open water with sun glitter to a horizon, and sometimes a headland. */
export const sea: Paint = (width, height, random) => {
  const raster = makeRaster(width, height)
  const mood = random.pick(seaMoods)
  const scene = makeScene(random, mood, width / height)
  const horizon = height * random.range(0.4, 0.56)
  const focus = height * 1.35
  drawSky(raster, scene, horizon, focus)
  drawWater(raster, scene, { horizon, focus })
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

function makeScene(random: SeededRandom, mood: SeaMood, aspect: number): Scene {
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

const skyStep = 2

/** Draws the sky with a quarter of the pixels, because clouds have no edges. */
function drawSky(raster: Raster, scene: Scene, horizon: number, focus: number): void {
  const { width } = raster
  const rows = Math.min(raster.height, Math.floor(horizon) + 1)
  const small = makeRaster(Math.ceil(width / skyStep) + 1, Math.ceil(rows / skyStep) + 1)
  const middle = (skyStep - 1) / 2
  paint(small, (x, y) =>
    skyTowards(
      scene,
      (x * skyStep + middle - width / 2) / focus,
      Math.max(0, (horizon - y * skyStep - middle) / focus),
    ),
  )
  addEnlarged({ width, height: rows, data: raster.data }, small, skyStep)
}

function skyTowards({ mood, noise, toSun, seed, clouds }: Scene, side: number, rise: number): Rgb {
  const length = 1 / hypot(side, rise, 1)
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

/** Blurs the nearest water, which is out of focus. */
function softenForeground({ width, height, data }: Raster): void {
  const radius = width / 380
  // The blur needs some rows above the part that is shown.
  const above = Math.max(0, Math.floor(height * 0.86 - radius * 2) - 2) * width * 3
  const soft = data.slice(above)
  blur(soft, width, soft.length / (width * 3), 3, radius)
  for (let y = Math.floor(height * 0.86); y < height; y += 1) {
    const share = smooth(0.86, 1.02, y / height) * 0.9
    for (let place = y * width * 3; place < (y + 1) * width * 3; place += 1) {
      data[place] = mix(data[place] ?? 0, soft[place - above] ?? 0, share)
    }
  }
}
