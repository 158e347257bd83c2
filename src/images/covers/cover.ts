import type { CoverStyle } from '../../core/cover-styles.ts'
import type { ImageExpectations } from '../review/review-image.ts'

/** Width to height. */
export type AspectRatio = '16:9' | '1:1' | '4:3'

/** What a cover is made for. */
export interface CoverRequest {
  readonly title: string
  /** Steers the motif when the title names none. */
  readonly excerpt?: string | undefined
  readonly style: CoverStyle
  readonly aspectRatio: AspectRatio
  /** In pixels, up to `maxCoverWidth`; the usual size of the ratio when absent. */
  readonly width?: number | undefined
  /** Whether `editorial-minimal` sets the title into the picture (where its letters are at hand); it does when absent. */
  readonly hasLettering?: boolean | undefined
  /** Another picture for the same title, for when a review refused the first. */
  readonly attempt?: number | undefined
  /** Another picture for the same title; the title's own when absent. */
  readonly seed?: number | undefined
}

/** A finished picture. */
export interface Cover {
  /** Without metadata. */
  readonly jpeg: Uint8Array
  readonly width: number
  readonly height: number
  /** For those who do not see it. */
  readonly alt: string
  /** What is drawn. */
  readonly scene: string
}

/** A picture to be looked at before it is sold. */
export interface ReviewTask {
  readonly jpeg: Uint8Array
  readonly expected: ImageExpectations
}

const sizes: Readonly<Record<AspectRatio, readonly [width: number, height: number]>> = {
  '16:9': [1600, 900],
  '1:1': [1400, 1400],
  '4:3': [1440, 1080],
}

/** Podcast directories take artwork of up to 3000 pixels. */
const maxCoverWidth = 3000

/** Pixels of a request: the usual ones of its ratio, or the asked width with the height that belongs to it. */
export function sizeOf({ aspectRatio, width }: Pick<CoverRequest, 'aspectRatio' | 'width'>): [number, number] {
  const [usualWidth, usualHeight] = sizes[aspectRatio]
  const asked = Math.min(maxCoverWidth, Math.max(16, Math.round(width ?? usualWidth)))
  return [asked, Math.round((asked * usualHeight) / usualWidth)]
}
