import sharp from 'sharp'
import { type FinishTask, finishPicture } from '../finish-picture.ts'
import { reviewImage } from '../review/review-image.ts'
import type { Cover, ReviewTask } from './cover.ts'
import { type CardTask, type EditionsTask, makeCard, makeEditions } from './editions.ts'
import { type ArtTask, paintArt } from './paint-art.ts'

/** Scenes are painted pixel by pixel, in widths between these, and made smaller or larger from there. */
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
    // As it goes to print: every pixel has its own colour.
    .jpeg({ quality: 93, chromaSubsampling: '4:4:4' })
    .toBuffer()
  return { jpeg: new Uint8Array(jpeg), width, height, alt, scene }
}

// A process draws one picture at a time, on one core, and no two pictures are alike.
sharp.concurrency(1)
sharp.cache(false)

/** Makes one picture. */
export const cover = (task: ArtTask) => paintCover(task)

/** Makes the files of one picture. */
export const editions = (task: EditionsTask) => makeEditions(task)

/** Makes a lettered print. */
export const card = (task: CardTask) => makeCard(task)

/** Makes a picture from elsewhere one of ours. */
export const finish = (task: FinishTask) => finishPicture(task)

/** Looks at a picture. */
export const review = ({ jpeg, expected }: ReviewTask) => reviewImage(jpeg, expected)
