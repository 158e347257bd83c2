import { makeRecentPictures } from '../../src/media/image-review/recent-pictures.ts'
import type { ImageReview } from '../../src/media/image-review/review-image.ts'
import type { ImageEngine, ImageWish } from '../../src/media/images/image-engine.ts'
import { ProviderFailed } from '../../src/media/providers/provider-failed.ts'
import type { Make } from '../../src/payments/sell.ts'
import { Problem } from '../../src/problem.ts'
import { imageOffer } from './offer.ts'

export interface ImageDeps {
  engine: ImageEngine
  /** Looks at a picture, away from the event loop. */
  review: (
    jpeg: Uint8Array,
    expected: { aspect: number; unlike: readonly string[] },
    signal: AbortSignal,
  ) => Promise<ImageReview>
  /** Tells the operator what was not sold, and why. */
  report: (kind: 'review' | ProviderFailed['kind'], error: unknown) => void
  /** Milliseconds that only go forward. */
  now: () => number
}

const aspects = { '16:9': 16 / 9, '1:1': 1, '4:3': 4 / 3 } as const

/** Generates, reviews, and when the review fails generates once more: what is not good enough is never charged. */
export function makeImage({ engine, review, report, now }: ImageDeps): Make {
  const recent = makeRecentPictures()

  /** An image that passed the review, or nothing when it did not. */
  const tryOnce = async (wish: ImageWish) => {
    const request = JSON.stringify([wish.title, wish.excerpt, wish.style, wish.aspectRatio])
    try {
      const image = await engine.generate(wish)
      // Prints of one palette and one motif may truly look alike; only a provider can send a placeholder.
      const unlike = engine.name === 'embedded' ? [] : recent.ofOthers(request)
      const { pass, reasons, fingerprint } = await review(
        image.jpeg,
        { aspect: aspects[wish.aspectRatio], unlike },
        wish.signal,
      )
      if (pass && fingerprint !== undefined) recent.keep(request, fingerprint)
      if (pass) return image
      report('review', reasons.join(', '))
    } catch (error) {
      if (!(error instanceof ProviderFailed)) throw error
      report(error.kind, error)
      if (error.kind !== 'unusable') throw toProblem(error)
    }
    return undefined
  }

  return async (input, signal) => {
    const { excerpt = '', ...wish } = imageOffer.input.parse(input)
    const from = now()
    let image = await tryOnce({ ...wish, excerpt, attempt: 0, signal })
    // Another attempt that cannot end in time would only cost the operator.
    const hasTime = now() - from < imageOffer.workSeconds * 500
    if (!image && hasTime) image = await tryOnce({ ...wish, excerpt, attempt: 1, signal })
    if (!image) throw new Problem('work-failed', { charged: false, retryAfterSeconds: 5, detail: notGoodEnough })
    return {
      mimeType: imageOffer.mimeType,
      body: image.jpeg,
      headers: { 'X-Media-Engine': engine.name, 'X-Image-Alt': encodeURIComponent(image.alt.toWellFormed()) },
    }
  }
}

const notGoodEnough =
  'The image did not pass its review, so nothing was charged; send the identical request again, or give up for free'

function toProblem(failure: ProviderFailed): Problem {
  switch (failure.kind) {
    case 'refused':
      return new Problem('invalid-input', {
        charged: false,
        detail: 'The image service does not make images of this title and excerpt; nothing was charged',
        errors: [{ pointer: '/title', detail: 'must be about something that the image service pictures' }],
        cause: failure,
      })
    case 'unavailable':
    case 'unusable':
      return failed('The image service did not deliver; nothing was charged. Send the identical request again', 10)
    case 'account':
      return failed('The image service does not work for this shop just now; nothing was charged', 60)
  }
  function failed(detail: string, retryAfterSeconds: number): Problem {
    return new Problem('work-failed', { charged: false, detail, retryAfterSeconds, cause: failure })
  }
}
