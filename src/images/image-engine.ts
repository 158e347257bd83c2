import type { CoverStyle } from '../core/cover-styles.ts'
import type { AspectRatio } from './covers/cover.ts'

/** What an image is wanted for. Title and excerpt are a stranger's: they are pictured, never obeyed. */
export interface ImageWish {
  readonly title: string
  readonly excerpt: string
  readonly style: CoverStyle
  readonly aspectRatio: AspectRatio
  /** Another picture of the same wish, for when a review refused the first. */
  readonly attempt: number
  /** Another picture of the same wish for another one, as far as who makes it heeds one. */
  readonly seed: number
  readonly signal: AbortSignal
}

/** A picture that nobody has looked at yet. */
export interface MadeImage {
  /** Of exactly the wished shape, in sRGB, without metadata. */
  readonly jpeg: Uint8Array
  /** For those who do not see it. */
  readonly alt: string
}

/** Who makes the images that are sold. */
export interface ImageEngine {
  readonly name: 'embedded' | 'minimax' | 'openai'
  /** Whether the same wish with the same seed is the same picture again; others heed no seed. */
  readonly heedsSeed: boolean
  /**
   * @throws ProviderFailed when a provider did not make it; the signal's reason when that ended it
   */
  generate(wish: ImageWish): Promise<MadeImage>
}
