import sharp from 'sharp'
import { type AspectRatio, sizeOf } from './covers/cover.ts'

/** A provider's picture, and the aspect ratio that it must get. */
export interface FinishTask {
  readonly bytes: Uint8Array
  readonly aspectRatio: AspectRatio
}

/** The JPEG, or why the bytes are not a picture. */
export type FinishedPicture = { readonly jpeg: Uint8Array } | { readonly why: string }

const shapes: Readonly<Record<AspectRatio, readonly [wide: number, high: number]>> = {
  '16:9': [16, 9],
  '1:1': [1, 1],
  '4:3': [4, 3],
}

const noKind = 'begins like no JPEG, PNG or WebP'
/**
 * First bytes of JPEG, PNG and RIFF (WebP), in hexadecimal. Other formats of the decoder, such as SVG, are rejected.
 */
const beginnings = ['ffd8ff', '89504e470d0a1a0a', '52494646']

/**
 * Crops a picture to exactly its aspect ratio, at most the size of the embedded engine's pictures and never enlarged,
 * and re-encodes it in sRGB, so that metadata, locations and hidden data are removed.
 */
export async function finishPicture({ bytes, aspectRatio }: FinishTask): Promise<FinishedPicture> {
  const start = Buffer.from(bytes.subarray(0, 8)).toString('hex')
  if (!beginnings.some((beginning) => start.startsWith(beginning))) return { why: noKind }
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
    return { jpeg: new Uint8Array(jpeg) }
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) }
  }
}
