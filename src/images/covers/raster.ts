import { clamp } from './arithmetic.ts'
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

/** Blurs numbers in rows in place; two passes of a box look like a lens. */
export function blur(data: Float32Array, width: number, height: number, channels: number, radius: number): void {
  const reach = Math.round(radius)
  if (reach < 1) return
  const between = new Float32Array(data.length)
  for (let pass = 0; pass < 2; pass += 1) {
    blurLines(data, between, {
      length: width,
      lines: height,
      channels,
      step: channels,
      stride: width * channels,
      reach,
    })
    blurLines(between, data, {
      length: height,
      lines: width,
      channels,
      step: width * channels,
      stride: channels,
      reach,
    })
  }
}

interface Lines {
  readonly length: number
  readonly lines: number
  readonly channels: number
  readonly step: number
  readonly stride: number
  readonly reach: number
}

function blurLines(from: Float32Array, to: Float32Array, lines: Lines): void {
  const { length, step, reach } = lines
  const share = 1 / (2 * reach + 1)
  for (let line = 0; line < lines.lines; line += 1) {
    for (let channel = 0; channel < lines.channels; channel += 1) {
      const start = line * lines.stride + channel
      let sum = 0
      for (let place = -reach; place <= reach; place += 1) sum += from[start + clamp(place, 0, length - 1) * step] ?? 0
      for (let place = 0; place < length; place += 1) {
        to[start + place * step] = sum * share
        sum += from[start + Math.min(length - 1, place + reach + 1) * step] ?? 0
        sum -= from[start + Math.max(0, place - reach) * step] ?? 0
      }
    }
  }
}

/** Each pixel the mean of a square of the larger picture: the picture drawn finer than it is shown. */
export function shrink(raster: Raster, factor: number): Raster {
  const small = makeRaster(Math.floor(raster.width / factor), Math.floor(raster.height / factor))
  for (let y = 0; y < small.height; y += 1) {
    for (let x = 0; x < small.width; x += 1) {
      for (let channel = 0; channel < 3; channel += 1) {
        let sum = 0
        for (let row = 0; row < factor; row += 1) {
          const start = ((y * factor + row) * raster.width + x * factor) * 3 + channel
          for (let column = 0; column < factor; column += 1) sum += raster.data[start + column * 3] ?? 0
        }
        small.data[(y * small.width + x) * 3 + channel] = sum / (factor * factor)
      }
    }
  }
  return small
}

/** A colour between four pixels. */
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
