import sharp from 'sharp'
import { subjectOf } from './choose-scene.ts'
import type { Cover, CoverStyle } from './cover.ts'
import { develop } from './develop.ts'
import { printMinimal } from './minimal/print-minimal.ts'
import { paintingsFor } from './scenes.ts'
import { seededRandom } from './seeded-random.ts'

/** Part of every seed: raise it when a drawing changes, so that no cache mixes old pictures with new ones. */
export const engineVersion = 2

/** One picture to make, in pixels. */
export interface PaintTask {
  readonly title: string
  readonly excerpt: string
  readonly style: CoverStyle
  readonly width: number
  readonly height: number
  readonly hasLettering: boolean
  readonly imprint?: string | undefined
  readonly attempt: number
}

/** Scenes are painted pixel by pixel, at most so wide, and enlarged from there. */
const maxPaintedWidth = 1600

/** Makes one picture. The same task gives the same bytes with the same version of the engine and of sharp. */
export async function paintCover(task: PaintTask): Promise<Cover> {
  const { title, style, width, height, attempt } = task
  const shape = Math.round((width / height) * 100)
  const random = seededRandom(JSON.stringify([title.normalize('NFC'), style, shape, attempt, engineVersion]))
  const isMinimal = style === 'editorial-minimal'
  const { pixels, drawnWidth, drawnHeight, scene, alt } =
    style === 'editorial-minimal' ? await print(task, random) : paint(style, task, random)
  const drawn = sharp(pixels, { raw: { width: drawnWidth, height: drawnHeight, channels: 3 } })
  const sized = drawnWidth === width ? drawn : drawn.resize(width, height, { fit: 'fill' })
  const jpeg = await sized
    .jpeg({ quality: 86, mozjpeg: true, chromaSubsampling: isMinimal ? '4:4:4' : '4:2:0' })
    .toBuffer()
  return { jpeg: new Uint8Array(jpeg), width, height, alt, scene }
}

type PaintedStyle = Exclude<CoverStyle, 'editorial-minimal'>
type Random = ReturnType<typeof seededRandom>

async function print({ title, width, height, hasLettering, imprint }: PaintTask, random: Random) {
  const sheet = { width, height, random, imprint, title: hasLettering ? title : undefined }
  return { ...(await printMinimal(sheet)), drawnWidth: width, drawnHeight: height }
}

function paint(style: PaintedStyle, { title, excerpt, width, height }: PaintTask, random: Random) {
  // Small pictures are large ones made small: a scene looks the same at every size.
  const drawnWidth = width / height < 1.2 ? Math.min(maxPaintedWidth, 1400) : maxPaintedWidth
  const drawnHeight = Math.round((drawnWidth * height) / width)
  const choices = paintingsFor(style, subjectOf(title, excerpt))
  const { raster, finish, scene, alt } = random.pick(choices)(drawnWidth, drawnHeight, random)
  return { pixels: develop(raster, random, finish), drawnWidth, drawnHeight, scene, alt }
}
