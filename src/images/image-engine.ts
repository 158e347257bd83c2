import type { CoverStyle } from '../core/cover-styles.ts'
import type { AspectRatio } from './covers/cover.ts'

/**
 * What an image is wanted for. Title and excerpt are untrusted: they are depicted, and never obeyed as instructions.
 */
export interface ImageWish {
  readonly title: string
  readonly excerpt: string
  readonly style: CoverStyle
  readonly aspectRatio: AspectRatio
  /** Number of the attempt: another one gives another picture, for when a review refused the first. */
  readonly attempt: number
  /** Another seed gives another picture of the same wish, if the engine supports seeds. */
  readonly seed: number
  readonly signal: AbortSignal
}

/** A picture that has not been reviewed yet. */
export interface MadeImage {
  /** Of exactly the wished shape, in sRGB, without metadata. */
  readonly jpeg: Uint8Array
  /** Alternative text. */
  readonly alt: string
}

/** The engine that makes the images for sale. */
export interface ImageEngine {
  readonly name: 'embedded' | 'minimax' | 'openai'
  /** Whether it supports seeds: the same wish with the same seed gives the same picture. */
  readonly heedsSeed: boolean
  /**
   * Makes one image.
   *
   * @throws ProviderFailed when a provider fails; the reason of the signal when that is aborted
   */
  generate(wish: ImageWish): Promise<MadeImage>
}
