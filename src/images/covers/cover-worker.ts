import sharp from 'sharp'
import Tinypool from 'tinypool'
import { lowerPriority } from '../../workers/lower-priority.ts'
import { type FinishTask, finishPicture } from '../finish-picture.ts'
import { reviewImage } from '../review/review-image.ts'
import type { ReviewTask } from './cover.ts'
import { type CardTask, type EditionsTask, makeCard, makeEditions } from './editions.ts'
import type { ArtTask } from './paint-art.ts'
import { paintCover } from './paint-cover.ts'

lowerPriority()
// The pool decides how many run at a time.
sharp.concurrency(1)

/** Makes one picture. */
export async function cover(task: ArtTask) {
  const made = await paintCover(task)
  Tinypool.move(made.jpeg)
  return made
}

/** Makes the files of one picture. */
export const editions = (task: EditionsTask) => makeEditions(task)

/** Makes a lettered print. */
export const card = (task: CardTask) => makeCard(task)

/** Makes a picture from elsewhere one of ours. */
export const finish = (task: FinishTask) => finishPicture(task)

/** Looks at a picture. */
export const review = ({ jpeg, expected }: ReviewTask) => reviewImage(jpeg, expected)
