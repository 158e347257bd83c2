import { clamp, mix, smooth } from '../arithmetic.ts'
import { add, mixRgb, oklch, type Rgb, scale } from '../colour.ts'
import { bloom } from '../develop.ts'
import { makeNoise, type Noise } from '../noise.ts'
import type { Paint } from '../painting.ts'
import { blur, colourAt, makeRaster, paint, type Raster, sample, setColour, shrink } from '../raster.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { makeGround } from './mountain-ground.ts'
import { type MountainMood, mountainMoods } from './mountain-moods.ts'
import { between, castShadows, type Land, makeLand } from './terrain.ts'

/** Each pixel is the mean of so many squared. */
const finer = 2
const skyStep = 4

interface View {
  readonly land: Land
  readonly noise: Noise
  readonly mood: MountainMood
  readonly sun: Rgb
  readonly waterLevel: number
  readonly eyeX: number
  readonly eyeHeight: number
  readonly horizon: number
  readonly focus: number
}

const eyeZ = 0.02

/** A lake between mountains. */
export const mountain: Paint = (width, height, random) => {
  const noise = makeNoise(random)
  const mood = random.pick(mountainMoods)
  const land = makeLand(noise, random)
  const waterLevel = lakeLevel(land)
  const sun = sunOf(mood, random)
  const raster = makeRaster(width * finer, height * finer)
  // Where the land ends there is air.
  paint(raster, () => mood.fog)
  const eyeX = land.valleyAt(eyeZ)
  const view: View = {
    land,
    noise,
    mood,
    sun,
    waterLevel,
    eyeX,
    eyeHeight: Math.max(groundAt(land, eyeX), waterLevel) + 0.012,
    horizon: raster.height / 2,
    focus: raster.height / (2 * Math.tan(0.3)),
  }
  drawSky(raster, view, random)
  const ground = makeGround(land, noise, random, { mood, sun, shadows: castShadows(land, sun), waterLevel })
  const depth = drawLand(raster, view, ground)
  drawLake(raster, view, depth)
  const shown = shrink(raster, finer)
  softenNear(shown, depth, raster.width)
  bloom(shown, 0.9, 0.35, width / 50)
  return {
    raster: shown,
    finish: { exposure: mood.exposure, contrast: 1.12, saturation: 1.06, vignette: 0.32, grain: 0.024 },
    scene: 'mountain',
    alt: `Rendered landscape of mountains around a lake ${mood.name}`,
  }
}

/** So high that the middle of the valley floor is under water, and its banks are not. */
function lakeLevel({ side, heights }: Land): number {
  const floor: number[] = []
  for (let y = 17; y < side * 0.45; y += 3) {
    for (let x = Math.floor(side * 0.3); x < side * 0.7; x += 3) floor.push(heights[y * side + x] ?? 0)
  }
  return floor.toSorted((a, b) => a - b)[Math.floor(floor.length * 0.5)] ?? 0
}

function groundAt({ side, heights }: Land, x: number): number {
  const row = Math.round(eyeZ * side)
  const around = Array.from({ length: 13 }, (_, place) => clamp(Math.round(x * side) + place - 6, 0, side - 1))
  return Math.max(...around.map((column) => heights[row * side + column] ?? 0))
}

function sunOf({ elevation, isBacklit }: MountainMood, random: SeededRandom): Rgb {
  const turn = random.range(0.35, 0.95)
  const flat = Math.cos(elevation)
  const sun: Rgb = [
    random.sign() * Math.cos(turn) * flat,
    Math.sin(elevation),
    (isBacklit ? 1 : -0.35) * Math.sin(turn) * flat,
  ]
  return scale(sun, 1 / Math.hypot(...sun))
}

/** Clouds have no edges: few pixels are enough. */
function drawSky(raster: Raster, view: View, random: SeededRandom): void {
  const { mood, sun, noise, horizon, focus } = view
  const [cover, seed, size] = [random.range(0.3, 0.75), random.range(0, 99), random.range(0.7, 1.5)]
  const bright = add(scale(mood.sun, 0.41), mood.horizon, 0.6)
  const small = makeRaster(Math.ceil(raster.width / skyStep) + 2, Math.ceil((horizon * 1.05) / skyStep) + 2)
  paint(small, (smallX, smallY) => {
    const [across, rise] = [(smallX * skyStep - raster.width / 2) / focus, (horizon - smallY * skyStep) / focus]
    const length = 1 / Math.hypot(across, rise, 1)
    const [x, y, z] = [across * length, rise * length, length]
    const facing = Math.max(0, x * sun[0] + y * sun[1] + z * sun[2])
    const glow = facing ** 6 * 0.35 + facing ** 60 * 0.6 + (sun[2] > 0 ? facing ** 1800 * 14 : 0)
    const clear = mixRgb(mood.horizon, mood.zenith, clamp(y * 2.1) ** 0.55)
    const sky = add(clear, [mood.sun[0] * 0.55, mood.sun[1] * 0.5, mood.sun[2] * 0.45], glow)
    if (y <= 0.004) return sky
    const far = 0.9 / (y + 0.06)
    const [u, v] = [x * far * size + seed, z * far * size * 0.55]
    const thick = noise.fractal(u * 1.1 + 0.6 * noise.at(u * 0.7, v * 0.7), v * 1.6, 6) * 0.5 + 0.5
    const sunward = noise.fractal((u + sun[0] * 0.12) * 1.1, (v + sun[2] * 0.12) * 1.6, 4) * 0.5 + 0.5
    const cloud = smooth(1 - cover * 0.8, 1.02, thick + 0.12)
    const lit = clamp(0.75 + (cloud - sunward) * 1.3, 0.25, 1.25)
    const white = mixRgb(mixRgb(mood.horizon, mood.zenith, 0.35), bright, lit)
    return mixRgb(sky, white, cloud * smooth(0, 0.1, y) * 0.85)
  })
  const last = Math.min(raster.height, Math.floor((small.height - 1) * skyStep))
  for (let y = 0; y < last; y += 1) {
    for (let x = 0; x < raster.width; x += 1) setColour(raster, x, y, sample(small, x / skyStep, y / skyStep))
  }
}

const beyond = 9

/** Column by column from near to far: what stands higher than all before it is seen. Depth comes back, of water below 0. */
function drawLand(raster: Raster, view: View, ground: ReturnType<typeof makeGround>): Float32Array {
  const { width, height } = raster
  const { land, noise, waterLevel, eyeX, eyeHeight, horizon, focus } = view
  const { side, heights } = land
  const depth = new Float32Array(width * height).fill(beyond)
  for (let column = 0; column < width; column += 1) {
    const sideways = (column - width / 2) / focus
    let top = height
    let before: Rgb | undefined
    for (let away = 0.012; away < 0.96 && top > 0; away += 0.0007 * Math.max(0.35, away * 5.5)) {
      const [x, z] = [eyeX + sideways * away, eyeZ + away]
      if (x < 0.003 || x > 0.996 || z > 0.995) break
      const level = between(heights, side, x * (side - 1), z * (side - 1))
      const isWater = level < waterLevel
      // The tallest detail there is; most of the land is hidden, and needs no closer look.
      if (horizon - ((isWater ? waterLevel : level + 0.0023) - eyeHeight) * (focus / away) >= top) {
        before = undefined
        continue
      }
      const rough = noise.at(x * 900, z * 900) * 0.0007 + noise.at(x * 310, z * 310) * 0.0016
      const seen = isWater ? waterLevel : level + rough * smooth(0, 0.03, level - waterLevel)
      const y = horizon - ((seen - eyeHeight) / away) * focus
      if (y >= top) {
        before = undefined
        continue
      }
      const colour = isWater ? undefined : ground({ x, z, height: seen, away, sideways })
      const [first, end] = [Math.max(0, Math.ceil(y)), Math.min(height, Math.ceil(top))]
      for (let row = first; row < end; row += 1) {
        depth[row * width + column] = isWater ? -away : away
        if (!colour) continue
        const share = before && end - first > 1 ? (row - first) / (end - first) : 0
        setColour(raster, column, row, before ? mixRgb(colour, before, share) : colour)
      }
      top = Math.max(0, y)
      before = colour
    }
  }
  return depth
}

const mirrorStretches = [-0.6, -0.2, 0.2, 0.6]

/** The lake shows what is above the horizon, upside down and torn by ripples. */
function drawLake(raster: Raster, view: View, depth: Float32Array): void {
  const { width, height } = raster
  const { mood, noise, eyeX, horizon, focus } = view
  const deep = mixRgb(oklch(0.16, 0.02, 235), mood.zenith, 0.16)
  const ripples = new Float32Array(Math.ceil(width / finer))
  for (let y = Math.floor(horizon); y < height; y += 1) {
    const near = (y - horizon) / (height - horizon)
    for (let x = 0; x < width; x += 1) {
      const away = -(depth[y * width + x] ?? 0)
      if (away <= 0) continue
      const [landX, landZ] = [eyeX + ((x - width / 2) / focus) * away, eyeZ + away]
      const block = Math.floor(x / finer)
      if (y % finer === 0 && x % finer === 0) {
        ripples[block] = noise.fractal(landX * 220, landZ * 900, 3) * 0.6 + noise.at(landX * 60, landZ * 260) * 0.5
      }
      const ripple = ripples[block] ?? 0
      const reach = 3 + (y - horizon) * 0.045
      const fromY = 2 * horizon - y - Math.abs(ripple) * reach * 1.6
      const fromX = clamp(Math.round(x + ripple * reach * 0.5), 0, width - 1)
      let mirrored: Rgb = [0, 0, 0]
      // Ripples too small to be seen draw every edge out downwards.
      for (const stretch of mirrorStretches) {
        const row = clamp(Math.round(fromY + stretch * reach), 0, height - 1)
        const seen = (depth[row * width + fromX] ?? 0) >= 0 ? colourAt(raster, fromX, row) : mood.fog
        mirrored = add(mirrored, seen, 1 / mirrorStretches.length)
      }
      const clear = mix(0.94, 0.52, smooth(0, 1, near * 0.95 + ripple * 0.1)) * 0.92
      const air = (1 - Math.exp(-((away * 1.6) ** 1.8))) * 0.55
      setColour(raster, x, y, mixRgb(mixRgb(deep, mirrored, clear), mood.fog, air))
    }
  }
}

/** What is nearest is out of focus. */
function softenNear(shown: Raster, depth: Float32Array, depthWidth: number): void {
  const soft = shown.data.slice()
  blur(soft, shown.width, shown.height, 3, Math.max(1, shown.width / 420))
  for (let y = 0; y < shown.height; y += 1) {
    for (let x = 0; x < shown.width; x += 1) {
      const share = smooth(0.055, 0.018, Math.abs(depth[y * finer * depthWidth + x * finer] ?? beyond))
      if (share <= 0) continue
      for (let place = (y * shown.width + x) * 3, end = place + 3; place < end; place += 1) {
        shown.data[place] = mix(shown.data[place] ?? 0, soft[place] ?? 0, share)
      }
    }
  }
}
