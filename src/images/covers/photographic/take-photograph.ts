import sharp from 'sharp'
import { addGrain, develop } from '../develop.ts'
import type { Paint } from '../painting.ts'
import type { SeededRandom } from '../seeded-random.ts'

/**
 * Share of the width at which scenes are painted: a lens is softer than film, and only the grain has full resolution.
 */
const paintedShare = 0.75
const leastPainted = 800

/** Paints a scene, enlarges it and adds grain. */
export async function takePhotograph(paint: Paint, width: number, height: number, random: SeededRandom) {
  const paintedWidth = Math.min(width, Math.max(leastPainted, Math.round(width * paintedShare)))
  const paintedHeight = Math.round((paintedWidth * height) / width)
  const { raster, finish, scene, alt } = paint(paintedWidth, paintedHeight, random)
  const { grain = 0, ...smooth } = finish
  const small = develop(raster, random, { ...smooth, grain: 0 })
  const pixels = await sharp(small, { raw: { width: paintedWidth, height: paintedHeight, channels: 3 } })
    .resize(width, height, { fit: 'fill', kernel: 'lanczos3' })
    .raw()
    .toBuffer()
  addGrain(pixels, width, random, grain)
  return { pixels, scene, alt }
}
