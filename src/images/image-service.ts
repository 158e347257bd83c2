import type { ProviderFailed } from '../providers/provider-failed.ts'
import type { ImageEngine } from './image-engine.ts'
import type { ImageReview } from './review/review-image.ts'

/** Makes and reviews pictures for the products that sell them. */
export interface ImageService {
  readonly engine: ImageEngine
  /** Reviews a picture in another process. */
  readonly review: (
    jpeg: Uint8Array,
    expected: { aspect: number; unlike: readonly string[] },
    signal: AbortSignal,
  ) => Promise<ImageReview>
  /** Reports to the operator which picture was not sold, and why. */
  readonly report: (kind: 'review' | ProviderFailed['kind'], error: unknown) => void
  /** Monotonic clock, in ms. */
  readonly now: () => number
}
