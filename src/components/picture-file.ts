import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { ImageMetadata } from 'astro'
import sharp from 'sharp'
import { z } from 'zod'

const fileSchema = z.object({ width: z.number(), height: z.number(), format: z.string() })

/** What is known of a picture beside a text. */
export interface PictureFile extends z.infer<typeof fileSchema> {
  /** Whether it has several frames, which stand below each other in a format that has none. */
  readonly isAnimated: boolean
}

const endOfJpeg = Buffer.from([0xff, 0xd9])
const scanOfJpeg = Buffer.from([0xff, 0xda])

/** Whether a file has what ends its format, which tells at once what reading all of a photograph tells in a tenth of a second. */
const hasEnd: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  // Behind the picture: the small one that a camera puts before it has an end, too.
  jpg: (bytes) => bytes.lastIndexOf(endOfJpeg) > bytes.lastIndexOf(scanOfJpeg),
  png: (bytes) => bytes.includes('IEND'),
  webp: (bytes) => bytes.length >= bytes.readUInt32LE(4) + 8,
  // The end of the last frame, and of the file.
  gif: (bytes) => bytes.at(-2) === 0 && bytes.at(-1) === 0x3b,
  avif: (bytes) => endOfBoxes(bytes) === bytes.length,
}

/** Where the last of the boxes ends that an AVIF is made of, each with its length at its beginning. */
function endOfBoxes(bytes: Buffer): number | undefined {
  let end = 0
  while (end + 8 <= bytes.length) {
    const length = bytes.readUInt32BE(end)
    // Shorter than its own head: its length is written elsewhere, or goes without saying.
    if (length < 8) return undefined
    end += length
  }
  return end
}

/** How far a picture is made smaller to be read to its end: as far as its format does it while reading. */
const readWidth = 16

/**
 * Reads a picture beside a text, without asking Astro's object for it: the file of one that is asked is published, with
 * all that a camera wrote into it. Its copy, and where it lies, may be asked.
 *
 * @throws Error that names a file whose end is missing, or that cannot be read: Astro would make grey of what is not there
 */
export async function readPictureFile(src: ImageMetadata): Promise<PictureFile> {
  const file = fileSchema.parse({ ...(Reflect.get(src, 'clone') ?? src) })
  const path = z.string().optional().parse(Reflect.get(src, 'fsPath')) ?? ''
  const name = relative(process.cwd(), path)
  // A drawing is a text, which browsers read, and know as one by its name alone.
  if (file.format === 'svg') {
    if (/\.(?!svg$)\w+$/i.test(path)) throw new Error(`${name}: the picture is an SVG; let its name end with .svg`)
    return { ...file, isAnimated: false }
  }
  const bytes = await readFile(path)
  try {
    // All frames together may have more points than one picture may have.
    const picture = sharp(bytes, { failOn: 'error', pages: -1, limitInputPixels: false })
    const { pages = 1 } = await picture.metadata()
    if (!hasEnd[file.format]?.(bytes)) await picture.resize(readWidth).raw().toBuffer()
    return { ...file, isAnimated: pages > 1 }
  } catch (cause) {
    throw new Error(`${name}: the picture is broken or its end is missing; put the whole file there`, { cause })
  }
}
