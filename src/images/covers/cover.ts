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
  /** Whether `editorial-minimal` sets the title into the picture, if the fonts have its letters; true when absent. */
  readonly hasLettering?: boolean | undefined
  /**
   * Number of the attempt: another one gives another picture of the same title, for when a review refused the first.
   */
  readonly attempt?: number | undefined
  /** A seed gives another picture of the same title; without one, the title alone decides. */
  readonly seed?: number | undefined
}

/** A finished picture. */
export interface Cover {
  /** Without metadata. */
  readonly jpeg: Uint8Array
  readonly width: number
  readonly height: number
  /** Alternative text. */
  readonly alt: string
  /** Name of the scene or motif. */
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

/**
 * Width and height of a request in pixels: the usual ones of its ratio, or the requested width and the matching height.
 */
export function sizeOf({ aspectRatio, width }: Pick<CoverRequest, 'aspectRatio' | 'width'>): [number, number] {
  const [usualWidth, usualHeight] = sizes[aspectRatio]
  const asked = Math.min(maxCoverWidth, Math.max(16, Math.round(width ?? usualWidth)))
  return [asked, Math.round((asked * usualHeight) / usualWidth)]
}
