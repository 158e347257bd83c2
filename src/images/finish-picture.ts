import sharp from 'sharp'
import { type AspectRatio, sizeOf } from './covers/cover.ts'

/** A picture that came from elsewhere, and the shape it is to have. */
export interface FinishTask {
  readonly bytes: Uint8Array
  readonly aspectRatio: AspectRatio
}

const shapes: Readonly<Record<AspectRatio, readonly [wide: number, high: number]>> = {
  '16:9': [16, 9],
  '1:1': [1, 1],
  '4:3': [4, 3],
}

/** JPEG, PNG and WebP, in hexadecimal. Other formats that the decoder knows, drawings among them, are not tried. */
const beginnings = ['ffd8ff', '89504e470d0a1a0a', '52494646']

/**
 * Cuts a picture to exactly its shape, no larger than the embedded engine's and never enlarged, and encodes it anew in
 * sRGB: metadata, places and whatever else travelled along stay behind. Nothing when it is no picture.
 */
export async function finishPicture({ bytes, aspectRatio }: FinishTask): Promise<Uint8Array | undefined> {
  const start = Buffer.from(bytes.subarray(0, 8)).toString('hex')
  if (!beginnings.some((beginning) => start.startsWith(beginning))) return undefined
  try {
    const picture = sharp(bytes, { failOn: 'warning', limitInputPixels: 64_000_000 }).autoOrient()
    const { autoOrient } = await picture.metadata()
    const [wide, high] = shapes[aspectRatio]
    const [usualWidth] = sizeOf({ aspectRatio })
    const unit = Math.floor(Math.min(autoOrient.width / wide, autoOrient.height / high, usualWidth / wide))
    const jpeg = await picture
      .resize(unit * wide, unit * high, { fit: 'cover' })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: 93, chromaSubsampling: '4:4:4' })
      .toBuffer()
    return new Uint8Array(jpeg)
  } catch {
    return undefined
  }
}
