import { clamp, hypot, mix, smooth } from '../arithmetic.ts'
import { add, mixRgb, oklch, type Rgb, scale } from '../colour.ts'
import { bloom } from '../develop.ts'
import { makeNoise } from '../noise.ts'
import type { Paint } from '../painting.ts'
import { addEnlarged, blur, makeRaster, paint, type Raster } from '../raster.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { makeGround } from './mountain-ground.ts'
import { beyond, type DrawnLand, drawLand, eyeZ, type MountainView } from './mountain-land.ts'
import { type MountainMood, mountainMoods } from './mountain-moods.ts'
import { castShadows, type Land, makeLand } from './terrain.ts'

const skyStep = 3

/** A lake between mountains. */
export const mountain: Paint = (width, height, random) => {
  const noise = makeNoise(random)
  const mood = random.pick(mountainMoods)
  const land = makeLand(noise, random)
  const waterLevel = lakeLevel(land)
  const sun = sunOf(mood, random)
  const eyeX = land.valleyAt(eyeZ)
  const view: MountainView = {
    width,
    height,
    land,
    noise,
    mood,
    sun,
    waterLevel,
    eyeX,
    eyeHeight: Math.max(groundAt(land, eyeX), waterLevel) + 0.012,
    horizon: height / 2,
    focus: height / (2 * Math.tan(0.3)),
  }
  const sky = drawSky(view, random)
  const ground = makeGround(land, noise, random, { mood, sun, shadows: castShadows(land, sun), waterLevel })
  const drawn = drawLand(view, ground)
  const { raster } = drawn
  addSky(raster, sky, drawn.sky)
  addLake(drawn, view)
  softenNear(raster, drawn.away)
  bloom(raster, 0.9, 0.35, width / 50)
  return {
    raster,
    finish: { exposure: mood.exposure, contrast: 1.12, saturation: 1.06, vignette: 0.32, grain: 0.024 },
    scene: 'mountain',
    alt: `Rendered landscape of mountains around a lake ${mood.name}`,
  }
}

/** The water level: the median height of the valley floor, so that its middle is flooded and its banks are not. */
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

/** Draws the sky at a lower resolution, because clouds have no edges. */
function drawSky(view: MountainView, random: SeededRandom): Raster {
  const { width, height, mood, sun, noise, horizon, focus } = view
  const [cover, seed, size] = [random.range(0.3, 0.75), random.range(0, 99), random.range(0.7, 1.5)]
  const bright = add(scale(mood.sun, 0.41), mood.horizon, 0.6)
  const middle = (skyStep - 1) / 2
  const rows = Math.floor(horizon * 1.05)
  const small = makeRaster(Math.ceil(width / skyStep) + 1, Math.ceil(rows / skyStep) + 1)
  paint(small, (smallX, smallY) => {
    const across = (smallX * skyStep + middle - width / 2) / focus
    const rise = (horizon - smallY * skyStep - middle) / focus
    const length = 1 / hypot(across, rise, 1)
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
  const sky = makeRaster(width, height)
  addEnlarged({ width, height: rows, data: sky.data }, small, skyStep)
  // Below the horizon, where the land ends, there is haze.
  for (let place = rows * width * 3; place < sky.data.length; place += 3) sky.data.set(mood.fog, place)
  return sky
}

/** Adds the sky to the share of each pixel that nothing covers. */
function addSky({ data }: Raster, sky: Raster, shares: Float32Array): void {
  for (let place = 0; place < data.length; place += 1) {
    data[place] = (data[place] ?? 0) + (sky.data[place] ?? 0) * (shares[Math.floor(place / 3)] ?? 0)
  }
}

const mirrorStretches = [-0.6, -0.2, 0.2, 0.6]

/** Draws the lake: a mirror image of what is above the horizon, distorted by ripples. */
function addLake({ raster, away: depth, water }: DrawnLand, view: MountainView): void {
  const { width, height, data } = raster
  const { mood, noise, eyeX, horizon, focus } = view
  const deep = mixRgb(oklch(0.16, 0.02, 235), mood.zenith, 0.16)
  const share = 1 / mirrorStretches.length
  for (let y = Math.floor(horizon); y < height; y += 1) {
    const near = (y - horizon) / (height - horizon)
    for (let x = 0; x < width; x += 1) {
      const covered = water[y * width + x] ?? 0
      if (covered <= 0) continue
      const away = Math.abs(depth[y * width + x] ?? 0)
      const landX = eyeX + ((x - width / 2) / focus) * away
      const landZ = eyeZ + away
      const ripple = noise.fractal(landX * 220, landZ * 900, 3) * 0.6 + noise.at(landX * 60, landZ * 260) * 0.5
      const reach = 1.5 + (y - horizon) * 0.045
      const fromY = 2 * horizon - y - Math.abs(ripple) * reach * 1.6
      const fromX = clamp(Math.round(x + ripple * reach * 0.5), 0, width - 1)
      let red = 0
      let green = 0
      let blue = 0
      // Ripples smaller than a pixel stretch every edge vertically.
      for (const stretch of mirrorStretches) {
        const seen = clamp(Math.round(fromY + stretch * reach), 0, height - 1) * width + fromX
        const isDry = (water[seen] ?? 0) === 0
        red += isDry ? (data[seen * 3] ?? 0) : mood.fog[0]
        green += isDry ? (data[seen * 3 + 1] ?? 0) : mood.fog[1]
        blue += isDry ? (data[seen * 3 + 2] ?? 0) : mood.fog[2]
      }
      const clear = mix(0.94, 0.52, smooth(0, 1, near * 0.95 + ripple * 0.1)) * 0.92
      const air = (1 - Math.exp(-((away * 1.6) ** 1.8))) * 0.55
      const place = (y * width + x) * 3
      data[place] = (data[place] ?? 0) + mix(mix(deep[0], red * share, clear), mood.fog[0], air) * covered
      data[place + 1] = (data[place + 1] ?? 0) + mix(mix(deep[1], green * share, clear), mood.fog[1], air) * covered
      data[place + 2] = (data[place + 2] ?? 0) + mix(mix(deep[2], blue * share, clear), mood.fog[2], air) * covered
    }
  }
}

/** Land closer than this is out of focus, in sides of the land. */
const outOfFocus = 0.055

/** Blurs the nearest land, which is out of focus. */
function softenNear({ width, height, data }: Raster, away: Float32Array): void {
  const first = away.findIndex((far) => far < outOfFocus)
  if (first < 0) return
  const [top, radius] = [Math.floor(first / width), Math.max(1, width / 420)]
  // The blur needs some rows above the part that is shown.
  const above = Math.max(0, top - Math.ceil(radius * 2) - 2) * width
  const soft = data.slice(above * 3)
  blur(soft, width, soft.length / (width * 3), 3, radius)
  for (let pixel = top * width; pixel < width * height; pixel += 1) {
    const share = smooth(outOfFocus, 0.018, away[pixel] ?? beyond)
    if (share <= 0) continue
    for (let place = pixel * 3, end = place + 3; place < end; place += 1) {
      data[place] = mix(data[place] ?? 0, soft[place - above * 3] ?? 0, share)
    }
  }
}
