import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { ImageMetadata } from 'astro'
import sharp from 'sharp'
import { z } from 'zod'

const fileSchema = z.object({ width: z.number(), height: z.number(), format: z.string() })

/** Metadata of a picture beside a text. */
export interface PictureFile extends z.infer<typeof fileSchema> {
  /** Whether it has several frames; converted to a format without frames, they would be stacked in one picture. */
  readonly isAnimated: boolean
}

const endOfJpeg = Buffer.from([0xff, 0xd9])
const scanOfJpeg = Buffer.from([0xff, 0xda])

/** Whether a file ends as its format requires. This check is instant; decoding a whole photograph takes 100 ms. */
const hasEnd: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  // The end marker must follow the last scan: the thumbnail that cameras embed before the picture has one, too.
  jpg: (bytes) => bytes.lastIndexOf(endOfJpeg) > bytes.lastIndexOf(scanOfJpeg),
  png: (bytes) => bytes.includes('IEND'),
  webp: (bytes) => bytes.length >= bytes.readUInt32LE(4) + 8,
  // The block terminator of the last frame, and the trailer of the file.
  gif: (bytes) => bytes.at(-2) === 0 && bytes.at(-1) === 0x3b,
  avif: (bytes) => endOfBoxes(bytes) === bytes.length,
}

/** The end of the last box of an AVIF, following the lengths at the start of the boxes; undefined for other lengths. */
function endOfBoxes(bytes: Buffer): number | undefined {
  let end = 0
  while (end + 8 <= bytes.length) {
    const length = bytes.readUInt32BE(end)
    // 0 and 1 have a special meaning: up to the end of the file, or a 64-bit length elsewhere.
    if (length < 8) return undefined
    end += length
  }
  return end
}

/** The width to which a picture is decoded to check it, in pixels; small, because some decoders then work faster. */
const readWidth = 16

/**
 * Reads and checks a picture beside a text. It reads only `clone` and `fsPath` of Astro's object: reading any other
 * property makes Astro publish the original file, with all metadata that a camera wrote into it.
 *
 * @throws Error that names the file when it is truncated or cannot be decoded: Astro would fill missing parts with grey
 */
export async function readPictureFile(src: ImageMetadata): Promise<PictureFile> {
  const file = fileSchema.parse({ ...(Reflect.get(src, 'clone') ?? src) })
  const path = z.string().optional().parse(Reflect.get(src, 'fsPath')) ?? ''
  const name = relative(process.cwd(), path)
  // Browsers recognize an SVG only by the media type, which follows from the file's name.
  if (file.format === 'svg') {
    if (/\.(?!svg$)\w+$/i.test(path)) throw new Error(`${name}: the picture is an SVG; let its name end with .svg`)
    return { ...file, isAnimated: false }
  }
  const bytes = await readFile(path)
  try {
    // All frames together may exceed sharp's limit of pixels.
    const picture = sharp(bytes, { failOn: 'error', pages: -1, limitInputPixels: false })
    const { pages = 1 } = await picture.metadata()
    if (!hasEnd[file.format]?.(bytes)) await picture.resize(readWidth).raw().toBuffer()
    return { ...file, isAnimated: pages > 1 }
  } catch (cause) {
    throw new Error(`${name}: the picture is broken or its end is missing; put the whole file there`, { cause })
  }
}
