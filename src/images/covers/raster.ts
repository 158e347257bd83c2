import { clamp, mix } from './arithmetic.ts'
import type { Rgb } from './colour.ts'

/** A picture in linear light, three numbers per pixel, row by row. */
export interface Raster {
  readonly width: number
  readonly height: number
  readonly data: Float32Array
}

/** An empty, black picture. */
export const makeRaster = (width: number, height: number): Raster => ({
  width,
  height,
  data: new Float32Array(width * height * 3),
})

/** The colour of one pixel. */
export function colourAt({ width, data }: Raster, x: number, y: number): Rgb {
  const place = (y * width + x) * 3
  return [data[place] ?? 0, data[place + 1] ?? 0, data[place + 2] ?? 0]
}

/** Sets one pixel. */
export function setColour({ width, data }: Raster, x: number, y: number, [red, green, blue]: Rgb): void {
  const place = (y * width + x) * 3
  data[place] = red
  data[place + 1] = green
  data[place + 2] = blue
}

/** Lays a colour over one pixel. */
export function blend({ width, data }: Raster, x: number, y: number, colour: Rgb, opacity: number): void {
  const place = (y * width + x) * 3
  for (let channel = 0; channel < 3; channel += 1) {
    const below = data[place + channel] ?? 0
    data[place + channel] = below + ((colour[channel] ?? 0) - below) * opacity
  }
}

/** Paints every pixel. */
export function paint(raster: Raster, colourOf: (x: number, y: number) => Rgb): void {
  for (let y = 0; y < raster.height; y += 1) {
    for (let x = 0; x < raster.width; x += 1) setColour(raster, x, y, colourOf(x, y))
  }
}

/** Blurs numbers in place. Two passes of a box blur look like a lens. */
export function blur(data: Float32Array, width: number, height: number, channels: number, radius: number): void {
  const reach = Math.round(radius)
  if (reach < 1) return
  const between = new Float32Array(data.length)
  for (let pass = 0; pass < 2; pass += 1) {
    blurAcross(data, between, { width, height, channels, reach })
    blurDown(between, data, { width, height, channels, reach })
  }
}

interface Box {
  readonly width: number
  readonly height: number
  readonly channels: number
  readonly reach: number
}

/** Horizontal box blur; beyond an edge the edge pixel is repeated. */
function blurAcross(from: Float32Array, to: Float32Array, { width, height, channels, reach }: Box): void {
  const share = 1 / (2 * reach + 1)
  for (let row = 0; row < height; row += 1) {
    for (let channel = 0; channel < channels; channel += 1) {
      const start = row * width * channels + channel
      const last = start + (width - 1) * channels
      let sum = 0
      for (let x = -reach; x <= reach; x += 1) sum += from[start + clamp(x, 0, width - 1) * channels] ?? 0
      let entering = start + (reach + 1) * channels
      let leaving = start - reach * channels
      for (let place = start; place <= last; place += channels) {
        to[place] = sum * share
        sum += from[Math.min(entering, last)] ?? 0
        sum -= from[Math.max(leaving, start)] ?? 0
        entering += channels
        leaving += channels
      }
    }
  }
}

/** Vertical box blur; all columns at once, because memory is contiguous by rows. */
function blurDown(from: Float32Array, to: Float32Array, { width, height, channels, reach }: Box): void {
  const share = 1 / (2 * reach + 1)
  const wide = width * channels
  const sums = new Float64Array(wide)
  for (let y = -reach; y <= reach; y += 1) {
    const start = clamp(y, 0, height - 1) * wide
    for (let column = 0; column < wide; column += 1) sums[column] = (sums[column] ?? 0) + (from[start + column] ?? 0)
  }
  for (let y = 0; y < height; y += 1) {
    const entering = Math.min(height - 1, y + reach + 1) * wide
    const leaving = Math.max(0, y - reach) * wide
    for (let column = 0, place = y * wide; column < wide; column += 1, place += 1) {
      const sum = sums[column] ?? 0
      to[place] = sum * share
      sums[column] = sum + (from[entering + column] ?? 0) - (from[leaving + column] ?? 0)
    }
  }
}

/** Scales a picture down by a whole factor: each pixel is the mean of a square. */
export function shrink({ width, height, data }: Raster, factor: number): Raster {
  const small = makeRaster(Math.floor(width / factor), Math.floor(height / factor))
  const wide = small.width * 3
  const sums = new Float64Array(wide)
  const area = factor * factor
  for (let y = 0; y < small.height; y += 1) {
    sums.fill(0)
    for (let row = 0; row < factor; row += 1) {
      let from = (y * factor + row) * width * 3
      for (let to = 0; to < wide; to += 3) {
        for (let column = 0; column < factor; column += 1, from += 3) {
          sums[to] = (sums[to] ?? 0) + (data[from] ?? 0)
          sums[to + 1] = (sums[to + 1] ?? 0) + (data[from + 1] ?? 0)
          sums[to + 2] = (sums[to + 2] ?? 0) + (data[from + 2] ?? 0)
        }
      }
    }
    for (let to = 0, place = y * wide; to < wide; to += 1, place += 1) small.data[place] = (sums[to] ?? 0) / area
  }
  return small
}

/** Enlarges a picture by a factor with bilinear interpolation, and adds its light. */
export function addEnlarged(raster: Raster, small: Raster, factor: number): void {
  const { width, height, data } = raster
  const half = (factor - 1) / 2
  const lefts = Int32Array.from({ length: width }, (_, x) =>
    Math.floor(clamp((x - half) / factor, 0, small.width - 1.001)),
  )
  const shares = Float64Array.from({ length: width }, (_, x) => clamp((x - half) / factor, 0, small.width - 1.001) % 1)
  const wide = small.width * 3
  for (let y = 0, place = 0; y < height; y += 1) {
    const down = clamp((y - half) / factor, 0, small.height - 1.001)
    const top = Math.floor(down)
    const dy = down - top
    for (let x = 0; x < width; x += 1) {
      const dx = shares[x] ?? 0
      let from = top * wide + (lefts[x] ?? 0) * 3
      for (let end = place + 3; place < end; place += 1, from += 1) {
        const upper = (small.data[from] ?? 0) * (1 - dx) + (small.data[from + 3] ?? 0) * dx
        const lower = (small.data[from + wide] ?? 0) * (1 - dx) + (small.data[from + wide + 3] ?? 0) * dx
        data[place] = (data[place] ?? 0) + upper * (1 - dy) + lower * dy
      }
    }
  }
}

/**
 * A function for values that change slowly over a picture: they are computed at every `step`th place and interpolated.
 *
 * @param from the first row that will be read
 */
export function spread(
  width: number,
  height: number,
  step: number,
  valueAt: (x: number, y: number) => number,
  from = 0,
): (x: number, y: number) => number {
  const columns = Math.ceil(width / step) + 1
  const rows = Math.ceil(height / step) + 1
  const values = new Float32Array(columns * rows)
  const first = clamp(Math.floor(from / step), 0, rows)
  for (let row = first, place = first * columns; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1, place += 1) values[place] = valueAt(column * step, row * step)
  }
  return (x, y) => {
    const across = x / step
    const down = y / step
    const left = Math.floor(across)
    const top = Math.floor(down)
    const dx = across - left
    const dy = down - top
    const place = top * columns + left
    const upper = mix(values[place] ?? 0, values[place + 1] ?? 0, dx)
    return mix(upper, mix(values[place + columns] ?? 0, values[place + columns + 1] ?? 0, dx), dy)
  }
}

/** The colour at a fractional position, by bilinear interpolation. */
export function sample(raster: Raster, x: number, y: number): Rgb {
  const { width, height, data } = raster
  const [across, down] = [clamp(x, 0, width - 1.001), clamp(y, 0, height - 1.001)]
  const [left, top] = [Math.floor(across), Math.floor(down)]
  const [dx, dy] = [across - left, down - top]
  const at = (channel: number) => {
    const place = (top * width + left) * 3 + channel
    const below = place + width * 3
    const upper = (data[place] ?? 0) * (1 - dx) + (data[place + 3] ?? 0) * dx
    return upper * (1 - dy) + ((data[below] ?? 0) * (1 - dx) + (data[below + 3] ?? 0) * dx) * dy
  }
  return [at(0), at(1), at(2)]
}
