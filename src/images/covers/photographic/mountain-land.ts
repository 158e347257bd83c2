import { mix, smooth } from '../arithmetic.ts'
import type { Rgb } from '../colour.ts'
import type { Noise } from '../noise.ts'
import { makeRaster, type Raster } from '../raster.ts'
import type { makeGround } from './mountain-ground.ts'
import type { MountainMood } from './mountain-moods.ts'
import { between, type Land } from './terrain.ts'

/** The view of the land. `horizon` and `focus` are in pixels of the picture, positions in sides of the land. */
export interface MountainView {
  readonly width: number
  readonly height: number
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

/** Depth of the viewer in the land, in sides of the land. */
export const eyeZ = 0.02

/** A distance greater than any in the land; it stands for sky. */
export const beyond = 9

/** Supersampling: each pixel is the mean of this number squared. */
const finer = 2

/** The land as it is seen. Sky and water are black, so a pixel that is partly sky or water is darkened accordingly. */
export interface DrawnLand {
  readonly raster: Raster
  /** Distance of each pixel. */
  readonly away: Float32Array
  /** Shares of each pixel that are sky and water. */
  readonly sky: Float32Array
  readonly water: Float32Array
}

/**
 * Draws the land with supersampling, a few columns at a time, so that no picture of the larger size is kept in memory.
 */
export function drawLand(view: MountainView, ground: Ground): DrawnLand {
  const { width, height } = view
  const drawn: DrawnLand = {
    raster: makeRaster(width, height),
    away: new Float32Array(width * height),
    sky: new Float32Array(width * height),
    water: new Float32Array(width * height),
  }
  const columns = Array.from({ length: finer }, () => makeColumn(height * finer))
  for (let x = 0; x < width; x += 1) {
    const lit: Lit = []
    for (const [part, column] of columns.entries()) drawColumn(column, x * finer + part, view, ground, lit)
    showColumns(drawn, x, columns)
  }
  return drawn
}

type Ground = ReturnType<typeof makeGround>
/** Colours by step of distance; the fine columns of one pixel column share them. */
type Lit = (Rgb | undefined)[]

interface Column {
  /** Three numbers for each row, as in a raster. */
  readonly colours: Float32Array
  /** Distance; `beyond` for sky, negative for water. */
  readonly depth: Float32Array
}

const makeColumn = (rows: number): Column => ({
  colours: new Float32Array(rows * 3),
  depth: new Float32Array(rows),
})

/** Walks from near to far: land is visible where it is higher on the picture than everything before it. */
function drawColumn({ colours, depth }: Column, column: number, view: MountainView, ground: Ground, lit: Lit): void {
  const { land, noise, waterLevel, eyeX, eyeHeight } = view
  const { side, heights } = land
  const horizon = view.horizon * finer
  const focus = view.focus * finer
  const height = depth.length
  colours.fill(0)
  depth.fill(beyond)
  const sideways = (column - (view.width * finer) / 2) / focus
  // Smaller pictures need fewer steps.
  const pace = 1.12 / view.width
  let top = height
  let before: Rgb | undefined
  for (let away = 0.012, step = 0; away < 0.96 && top > 0; away += pace * Math.max(0.35, away * 5.5), step += 1) {
    const x = eyeX + sideways * away
    const z = eyeZ + away
    if (x < 0.003 || x > 0.996 || z > 0.995) break
    const level = between(heights, side, x * (side - 1), z * (side - 1))
    const isWater = level < waterLevel
    // 0.0023 is the height of the tallest detail. Most of the land is hidden anyway and is skipped here.
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
    const colour = isWater ? undefined : (lit[step] ?? ground({ x, z, height: seen, away, sideways }))
    lit[step] = colour
    const first = Math.max(0, Math.ceil(y))
    const end = Math.min(height, Math.ceil(top))
    for (let row = first; row < end; row += 1) {
      depth[row] = isWater ? -away : away
      if (!colour) continue
      const from = before ?? colour
      const share = end - first > 1 ? (row - first) / (end - first) : 0
      colours[row * 3] = mix(colour[0], from[0], share)
      colours[row * 3 + 1] = mix(colour[1], from[1], share)
      colours[row * 3 + 2] = mix(colour[2], from[2], share)
    }
    top = Math.max(0, y)
    before = colour
  }
}

/** Averages the fine columns into one column of the picture. */
function showColumns({ raster, away, sky, water }: DrawnLand, x: number, columns: readonly Column[]): void {
  const share = 1 / (finer * finer)
  for (let y = 0; y < raster.height; y += 1) {
    const pixel = y * raster.width + x
    let red = 0
    let green = 0
    let blue = 0
    let skies = 0
    let waters = 0
    for (const { colours, depth } of columns) {
      for (let row = y * finer, end = row + finer; row < end; row += 1) {
        const far = depth[row] ?? beyond
        if (far === beyond) skies += 1
        else if (far < 0) waters += 1
        red += colours[row * 3] ?? 0
        green += colours[row * 3 + 1] ?? 0
        blue += colours[row * 3 + 2] ?? 0
      }
    }
    raster.data[pixel * 3] = red * share
    raster.data[pixel * 3 + 1] = green * share
    raster.data[pixel * 3 + 2] = blue * share
    away[pixel] = Math.abs(columns[0]?.depth[y * finer] ?? beyond)
    sky[pixel] = skies * share
    water[pixel] = waters * share
  }
}
