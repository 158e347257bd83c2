import sharp from 'sharp'

/** Measurements of a picture that do not depend on what it shows. */
export interface ImageFacts {
  readonly format: string
  readonly width: number
  readonly height: number
  readonly bytesPerPixel: number
  /** Entropy of the grey values, in bits; 0 for a blank picture. */
  readonly entropy: number
  /** Standard deviation of the channel that varies most. */
  readonly spread: number
  /** Share of 16-pixel tiles that are not flat. */
  readonly detail: number
  /** Variance of the Laplacian at a width of 512 pixels, which measures sharpness. */
  readonly edges: number
  /** Correlation of each pixel with its neighbours; low for noise. */
  readonly likeness: number
  /** Shares of pixels that are (nearly) black and white. */
  readonly black: number
  readonly white: number
  /** Share of the height that flat bars at top and bottom take. */
  readonly bars: number
  /** A fingerprint that survives scaling and re-encoding (dHash). */
  readonly fingerprint: string
}

const maxPixels = 64_000_000
const measuredWidth = 512
const tileSide = 16

/**
 * Measures a picture that nobody has looked at yet.
 *
 * @throws Error when it does not decode without a warning, or is larger than 64 megapixels
 */
export async function measureImage(bytes: Uint8Array): Promise<ImageFacts> {
  const strict = { failOn: 'warning', limitInputPixels: maxPixels } as const
  const { format, width, height } = await sharp(bytes, strict).metadata()
  const stats = await sharp(bytes, strict).stats()
  const grey = await sharp(bytes, strict)
    .resize({ width: measuredWidth })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const small = { pixels: grey.data, width: grey.info.width, height: grey.info.height }
  return {
    format,
    width,
    height,
    bytesPerPixel: bytes.length / (width * height),
    entropy: stats.entropy,
    spread: Math.max(...stats.channels.slice(0, 3).map(({ stdev }) => stdev)),
    detail: detailOf(small),
    ...neighboursOf(small),
    black: shareOf(small.pixels, (value) => value <= 2),
    white: shareOf(small.pixels, (value) => value >= 253),
    bars: barsOf(small),
    fingerprint: await fingerprintOf(bytes),
  }
}

interface Grey {
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number
}

const shareOf = (pixels: Uint8Array, counts: (value: number) => boolean) =>
  pixels.reduce((sum, value) => sum + (counts(value) ? 1 : 0), 0) / pixels.length

function deviation({ pixels, width }: Grey, left: number, top: number, columns: number, rows: number): number {
  let [sum, squares] = [0, 0]
  for (let y = top; y < top + rows; y += 1) {
    for (let x = left; x < left + columns; x += 1) {
      const value = pixels[y * width + x] ?? 0
      sum += value
      squares += value * value
    }
  }
  const count = columns * rows
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2))
}

function detailOf(grey: Grey): number {
  let [lively, tiles] = [0, 0]
  for (let top = 0; top + tileSide <= grey.height; top += tileSide) {
    for (let left = 0; left + tileSide <= grey.width; left += tileSide) {
      if (deviation(grey, left, top, tileSide, tileSide) > 3) lively += 1
      tiles += 1
    }
  }
  return tiles === 0 ? 0 : lively / tiles
}

function neighboursOf({ pixels, width, height }: Grey): Pick<ImageFacts, 'edges' | 'likeness'> {
  const mean = pixels.reduce((sum, value) => sum + value, 0) / pixels.length
  let [sum, squares, together, alone, count] = [0, 0, 0, 0, 0]
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const place = y * width + x
      const here = pixels[place] ?? 0
      const [right, below] = [pixels[place + 1] ?? 0, pixels[place + width] ?? 0]
      const edge = 4 * here - (pixels[place - 1] ?? 0) - right - (pixels[place - width] ?? 0) - below
      sum += edge
      squares += edge * edge
      alone += (here - mean) ** 2
      together += ((here - mean) * (right - mean + below - mean)) / 2
      count += 1
    }
  }
  return { edges: count === 0 ? 0 : squares / count - (sum / count) ** 2, likeness: alone === 0 ? 1 : together / alone }
}

function barsOf(grey: Grey): number {
  // Exactly flat, as only computed bars are; drawn paper has grain.
  const isFlat = (y: number) => deviation(grey, 0, y, grey.width, 1) < 0.5
  let [top, bottom] = [0, 0]
  while (top < grey.height && isFlat(top)) top += 1
  while (bottom < grey.height - top && isFlat(grey.height - 1 - bottom)) bottom += 1
  return (top + bottom) / grey.height
}

async function fingerprintOf(bytes: Uint8Array): Promise<string> {
  const pixels = await sharp(bytes).resize(9, 8, { fit: 'fill' }).greyscale().raw().toBuffer()
  let bits = 0n
  for (let y = 0; y < 8; y += 1) {
    for (let x = 0; x < 8; x += 1) {
      // A smaller difference is grain on an even ground, which every encoder changes.
      const isRising = (pixels[y * 9 + x + 1] ?? 0) - (pixels[y * 9 + x] ?? 0) > 2
      bits = (bits << 1n) | (isRising ? 1n : 0n)
    }
  }
  return bits.toString(16).padStart(16, '0')
}
