import { Problem } from '../../src/core/problem.ts'
import { sha256 } from '../../src/core/sha256.ts'
import type { ImageWish } from '../../src/images/image-engine.ts'
import { makeRecentPictures } from '../../src/images/review/recent-pictures.ts'
import { defineMake } from '../../src/offers/make.ts'
import { ProviderFailed } from '../../src/providers/provider-failed.ts'
import { toProviderProblem } from '../../src/providers/provider-problem.ts'
import type { MakeContext } from '../make-context.ts'
import imageOffer from './offer.ts'

const aspects = { '16:9': 16 / 9, '1:1': 1, '4:3': 4 / 3 } as const

/**
 * Generates an image and reviews it; when the review fails, it tries once more. An image that fails is never charged.
 */
export default defineMake(imageOffer, ({ images: { engine, review, report, now } }: Pick<MakeContext, 'images'>) => {
  const recent = makeRecentPictures()

  /** An image that passed the review; undefined when it failed or the provider sent something unusable. */
  const tryOnce = async (wish: ImageWish) => {
    const request = JSON.stringify([wish.title, wish.excerpt, wish.style, wish.aspectRatio])
    try {
      const image = await engine.generate(wish)
      // Only a provider can send the same placeholder for different requests. Images of the embedded engine with the
      // same palette and motif may rightly look alike.
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
      if (error.kind !== 'unusable') throw toProviderProblem(error, 'image service', refused)
    }
    return undefined
  }

  return async ({ excerpt = '', seed: given, ...rest }, signal, paymentKey) => {
    const from = now()
    const seed = given ?? seedOf(paymentKey)
    const wish = { ...rest, excerpt, seed, signal }
    let image = await tryOnce({ ...wish, attempt: 0 })
    // A second attempt takes about as long as the first. With less time left than that, it would probably be cut off at
    // `workSeconds`, after a provider has been paid for it. One that takes much longer than the first still is.
    const hasTime = now() - from < imageOffer.workSeconds * 500
    if (!image && hasTime) image = await tryOnce({ ...wish, attempt: 1 })
    if (!image) throw new Problem('work-failed', { charged: false, retryAfterSeconds: 5, detail: notGoodEnough })
    return {
      mimeType: imageOffer.mimeType,
      body: image.jpeg,
      headers: {
        'X-Media-Engine': engine.name,
        'X-Image-Alt': encodeURIComponent(image.alt.toWellFormed()),
        ...(engine.heedsSeed && { 'X-Image-Seed': `${seed}` }),
      },
    }
  }
})

/** Derived from the payment, so that a repeated request for the same order draws the same picture. */
const seedOf = (paymentKey: string) => Number.parseInt(sha256(paymentKey).slice(0, 8), 16) % 1_000_000

const notGoodEnough =
  'The image did not pass its review, so nothing was charged; send the identical request again, or give up for free'

/** The problem that a client gets when the provider rejects the title or the excerpt. */
const refused = {
  detail: 'The image service does not make images of this title and excerpt; nothing was charged',
  errors: [{ pointer: '/title', detail: 'must be about something that the image service pictures' }],
}
