import sharp from 'sharp'
import { type FinishTask, finishPicture } from '../finish-picture.ts'
import { reviewImage } from '../review/review-image.ts'
import type { Cover, ReviewTask } from './cover.ts'
import { type CardTask, type EditionsTask, makeCard, makeEditions } from './editions.ts'
import { type ArtTask, paintArt } from './paint-art.ts'

/** Scenes are painted pixel by pixel in a width between these, in pixels, and then resized. */
const leastPainted = 800
const mostPainted = 1600

/** Makes one picture. The same task gives the same bytes with the same version of the engine and of sharp. */
async function paintCover(task: ArtTask): Promise<Cover> {
  const { style, width, height } = task
  const isPrinted = style === 'editorial-minimal'
  const drawnWidth = isPrinted ? width : Math.min(mostPainted, Math.max(leastPainted, width))
  const drawnHeight = Math.round((drawnWidth * height) / width)
  const { pixels, scene, alt } = await paintArt({ ...task, width: drawnWidth, height: drawnHeight })
  const drawn = sharp(pixels, { raw: { width: drawnWidth, height: drawnHeight, channels: 3 } })
  const sized = drawnWidth === width ? drawn : drawn.resize(width, height, { fit: 'fill' })
  const jpeg = await sized
    // Print quality, without chroma subsampling.
    .jpeg({ quality: 93, chromaSubsampling: '4:4:4' })
    .toBuffer()
  return { jpeg: new Uint8Array(jpeg), width, height, alt, scene }
}

// Each process draws one picture at a time on one core. A cache would not help, because every picture is different.
sharp.concurrency(1)
sharp.cache(false)

/** Makes one picture. */
export const cover = (task: ArtTask) => paintCover(task)

/** Makes the files of one picture. */
export const editions = (task: EditionsTask) => makeEditions(task)

/** Makes a lettered print. */
export const card = (task: CardTask) => makeCard(task)

/** Crops and re-encodes a provider's picture. */
export const finish = (task: FinishTask) => finishPicture(task)

/** Reviews a picture. */
export const review = ({ jpeg, expected }: ReviewTask) => reviewImage(jpeg, expected)
