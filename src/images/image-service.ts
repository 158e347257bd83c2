import type { ProviderFailed } from '../providers/provider-failed.ts'
import type { ImageEngine } from './image-engine.ts'
import type { ImageReview } from './review/review-image.ts'

/** Pictures made to order, for whoever sells them. */
export interface ImageService {
  readonly engine: ImageEngine
  /** Looks at a picture, away from the event loop. */
  readonly review: (
    jpeg: Uint8Array,
    expected: { aspect: number; unlike: readonly string[] },
    signal: AbortSignal,
  ) => Promise<ImageReview>
  /** Tells the operator what was not sold, and why. */
  readonly report: (kind: 'review' | ProviderFailed['kind'], error: unknown) => void
  /** Milliseconds that only go forward. */
  readonly now: () => number
}
