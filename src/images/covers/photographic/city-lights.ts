import { clamp, hypot, mix, smooth } from '../arithmetic.ts'
import { mixRgb, oklch, type Rgb, scale } from '../colour.ts'
import { bloom } from '../develop.ts'
import { makeNoise, type Noise } from '../noise.ts'
import type { Paint } from '../painting.ts'
import { addEnlarged, blur, colourAt, makeRaster, paint, type Raster, sample, setColour, spread } from '../raster.ts'
import type { SeededRandom } from '../seeded-random.ts'

/** A lamp out of focus, which appears as a disc. */
interface Light {
  readonly x: number
  readonly y: number
  readonly radius: number
  readonly colour: Rgb
  readonly strength: number
}

const lamps: readonly [readonly [number, ...number[]], ...(readonly [number, ...number[]])[]] = [
  [65, 80, 50, 220],
  [70, 40, 20, 250],
  [60, 75, 190, 330],
  [75, 85, 140, 35],
]

/** Haze has no edges, so it is computed at a lower resolution. */
const hazeStep = 4

/** A street at night, far out of focus, mirrored in a wet road. */
export const cityLights: Paint = (width, height, random) => {
  const raster = makeRaster(width, height)
  const noise = makeNoise(random)
  const hue = random.pick([250, 265, 285, 220])
  const horizon = Math.round(random.range(0.5, 0.62) * height)
  const small = makeRaster(Math.ceil(width / hazeStep) + 1, Math.ceil(height / hazeStep) + 1)
  const middle = (hazeStep - 1) / 2
  paint(small, (smallX, smallY) => {
    const [x, y] = [smallX * hazeStep + middle, smallY * hazeStep + middle]
    const haze = noise.fractal((x / width) * 2.5, (y / height) * 1.5, 4)
    const glow = Math.exp(-(((y - horizon) / height) ** 2) * 26)
    const far = oklch(0.42, 0.08, hue + 60 * Math.sin((x / width) * 2 + hue))
    return mixRgb(oklch(0.17 + 0.03 * haze, 0.04, hue), far, glow * (0.6 + 0.5 * haze))
  })
  addEnlarged(raster, small, hazeStep)
  drawHouses(raster, horizon, hue, random)
  const blades = random.pick([0, 7, 9, 0])
  for (const light of makeLights(width, height, horizon, random)) drawLight(raster, light, blades, noise)
  mirror(raster, horizon, noise)
  bloom(raster, 0.7, 0.5, width / 24)
  return {
    raster,
    finish: { exposure: 1.05, contrast: 1.1, saturation: 1.05, vignette: 0.45, grain: 0.04 },
    scene: 'city lights',
    alt: 'Rendered city lights at night, out of focus',
  }
}

function drawHouses({ width, height, data }: Raster, horizon: number, hue: number, random: SeededRandom): void {
  const shade = new Float32Array(width * height)
  for (let left = 0; left < width; ) {
    const wide = width * random.range(0.03, 0.1)
    const top = Math.max(0, Math.floor(horizon - height * random.range(0.12, 0.46)))
    for (let y = top; y < horizon; y += 1) {
      const end = Math.floor(Math.min(width, left + wide))
      shade.fill(0.75, y * width + Math.floor(left), y * width + end)
    }
    left += wide * random.range(0.8, 1.5)
  }
  blur(shade, width, height, 1, width / 70)
  const dark = oklch(0.08, 0.02, hue)
  for (let place = 0; place < data.length; place += 1) {
    data[place] = mix(data[place] ?? 0, dark[place % 3] ?? 0, shade[Math.floor(place / 3)] ?? 0)
  }
}

function makeLights(width: number, height: number, horizon: number, random: SeededRandom): Light[] {
  const hues = random.pick(lamps)
  const unit = Math.min(width, height * 1.5)
  const lights = Array.from({ length: 150 }, (): Light => {
    const kind = random.next()
    const x = random.next() * width
    const isNear = kind >= 0.9
    const lift = Math.abs(random.gauss()) * height * (kind < 0.62 ? 0.14 : 0.26)
    const y = isNear ? random.range(0.05, 0.95) * height : horizon - lift
    const radius =
      unit * (kind < 0.62 ? random.range(0.01, 0.024) : isNear ? random.range(0.05, 0.085) : random.range(0.022, 0.045))
    const strength = kind < 0.62 ? random.range(0.25, 1.1) : isNear ? random.range(0.05, 0.14) : random.range(0.1, 0.42)
    const colour = oklch(0.8, random.range(0.09, 0.16), random.pick(hues) + random.range(-8, 8))
    return { x, y, radius, colour, strength }
  })
  const end = width * random.range(0.35, 0.65)
  for (const side of [-1, 1]) {
    for (let lamp = 1; lamp < 11; lamp += 1) {
      const near = 1 / (lamp * 0.42 + 0.25)
      lights.push({
        x: end + side * near * width * 0.3,
        y: horizon - near * height * 0.2,
        radius: unit * 0.016 * (0.55 + near * 0.8),
        colour: oklch(0.86, 0.1, 72),
        strength: 1.1 * Math.min(1, 0.35 + 0.08 * lamp) + 0.2,
      })
    }
  }
  return lights.toSorted((a, b) => a.radius - b.radius)
}

/**
 * Draws a point out of focus, which a lens shows in the shape of its aperture: round or polygonal, brighter at the rim,
 * and cut off like a cat's eye away from the centre.
 */
function drawLight(raster: Raster, { x, y, radius, colour, strength }: Light, blades: number, noise: Noise): void {
  const { width, height, data } = raster
  const [offX, offY] = [x - width / 2, y - height / 2]
  const off = hypot(offX, offY) || 1
  const cut = clamp(((off / hypot(width, height)) * 2 - 0.45) * 0.9, 0, 0.5) * radius
  const [bottom, right] = [
    Math.min(height - 1, Math.ceil(y + radius + 2)),
    Math.min(width - 1, Math.ceil(x + radius + 2)),
  ]
  for (let py = Math.max(0, Math.floor(y - radius - 2)); py <= bottom; py += 1) {
    for (let px = Math.max(0, Math.floor(x - radius - 2)); px <= right; px += 1) {
      const [dx, dy] = [px - x, py - y]
      const away = hypot(dx, dy) * (blades === 0 ? 1 : bladeStretch(Math.atan2(dy, dx), blades))
      const eye = hypot(dx + (offX / off) * cut, dy + (offY / off) * cut) * 0.985
      const cover = smooth(radius + 1.2, radius - 1.2, Math.max(away, eye))
      if (cover <= 0) continue
      const rim = 0.72 + 0.38 * smooth(radius * 0.72, radius * 0.97, away)
      const light = strength * cover * rim * (0.94 + 0.12 * noise.at(dx * 0.09 + x, dy * 0.09)) * 1.25
      const place = (py * width + px) * 3
      for (let channel = 0; channel < 3; channel += 1) {
        data[place + channel] = (data[place + channel] ?? 0) + (colour[channel] ?? 0) * light
      }
    }
  }
}

function bladeStretch(angle: number, blades: number): number {
  const step = (2 * Math.PI) / blades
  const within = (((angle % step) + step) % step) - step / 2
  return mix(1, (Math.cos(within) / Math.cos(step / 2)) * 0.985 + 0.02, 0.55)
}

/** The wet road: what is above, upside down, torn by ripples. */
function mirror(raster: Raster, horizon: number, noise: Noise): void {
  const { width, height } = raster
  const above = { width, height, data: raster.data.slice() }
  for (let y = horizon; y < height; y += 1) {
    const near = (y - horizon) / (height - horizon)
    // Ripples change slowly along a row, so they are sampled coarsely.
    const rippleAt = spread(width, 1, 4, (x) =>
      noise.fractal(((x / width) * 18) / (1 + near), (y / height) * (60 - 35 * near), 3),
    )
    const stretch = height * 0.03 * (1 + near)
    for (let x = 0; x < width; x += 1) {
      const ripple = rippleAt(x, 0)
      const fromY = horizon - (y - horizon) * 0.95 + ripple * height * 0.03 * (0.4 + near)
      const fromX = x + ripple * width * 0.01 * (0.3 + near * 2)
      const seen = mixRgb(
        sample(above, fromX, fromY),
        mixRgb(sample(above, fromX, fromY - stretch), sample(above, fromX, fromY + stretch), 0.5),
        0.5,
      )
      const dark = scale(colourAt(raster, x, y), 0.18)
      setColour(raster, x, y, scale(mixRgb(dark, seen, 0.62 - 0.28 * near), 1 - 0.25 * near))
    }
  }
  const road = raster.data.slice(horizon * width * 3)
  blur(road, width, height - horizon, 3, width / 500)
  raster.data.set(road, horizon * width * 3)
}
