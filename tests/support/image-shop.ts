import makeImage from '../../functions/image-generate/make.ts'
import imageOffer from '../../functions/image-generate/offer.ts'
import type { EngineChoice } from '../../src/config/engine-settings.ts'
import { toLogText } from '../../src/core/log.ts'
import type { GuardedFetch } from '../../src/fetching/fetched.ts'
import type { CoverStudio } from '../../src/images/covers/make-cover.ts'
import type { ImageEngine } from '../../src/images/image-engine.ts'
import type { ImageService } from '../../src/images/image-service.ts'
import { openImageEngine } from '../../src/images/open-image-engine.ts'
import { pretendChain } from './pretend-chain.ts'
import { signPayment } from './signed-payments.ts'
import { openTestShop } from './test-shop.ts'

interface Ways {
  choice?: EngineChoice
  fetchPublic?: GuardedFetch
  /** Replaces the engine of the choice. */
  engine?: ImageEngine
  concurrency?: number
}

/** The image product behind the real gate, with a truthful double of chain and facilitator. */
export async function openImageShop(studio: CoverStudio, ways: Ways = {}) {
  const { choice = { is: 'embedded' }, fetchPublic = unasked, concurrency = imageOffer.concurrency } = ways
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const reports: string[] = []
  const images: ImageService = {
    engine: ways.engine ?? openImageEngine(choice, studio, fetchPublic),
    review: (jpeg, expected, signal) => studio.reviewImage({ jpeg, expected }, { signal }),
    report: (kind, error) => reports.push(`${kind}: ${toLogText(error)}`),
    now: () => clock.ms,
  }
  const make = makeImage({ images })
  const shop = await openTestShop({ chain, clock, make })
  const handler = shop.gateOf({ ...imageOffer, concurrency })
  const wish = { title: 'The glacier that forgot to stop', style: 'photographic' }
  return {
    ...shop,
    chain,
    clock,
    reports,
    /** Signs a new payment, with these changes. */
    sign: async (change: Partial<Parameters<typeof signPayment>[0]> = {}) =>
      (await signPayment({ amount: 50_000n, ...change })).header,
    buy: (header: string, change: object = {}) =>
      handler(
        new Request(`http://farthing.test${imageOffer.path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'payment-signature': header },
          body: JSON.stringify({ ...wish, ...change }),
        }),
      ),
  }
}

const unasked: GuardedFetch = () => Promise.reject(new Error('nothing was to be fetched'))
