import { makeImage } from '../../functions/image/make-image.ts'
import { imageOffer } from '../../functions/image/offer.ts'
import type { EngineChoice } from '../../src/config.ts'
import type { GuardedFetch } from '../../src/fetching/fetched.ts'
import { toLogText } from '../../src/log.ts'
import type { CoverStudio } from '../../src/media/covers/make-cover.ts'
import type { ImageEngine } from '../../src/media/images/image-engine.ts'
import { openImageEngine } from '../../src/media/images/open-image-engine.ts'
import { pretendChain } from './pretend-chain.ts'
import { signPayment } from './signed-payments.ts'
import { openTestShop } from './test-shop.ts'

interface Ways {
  choice?: EngineChoice
  fetchPublic?: GuardedFetch
  /** Instead of the engine of the choice. */
  engine?: ImageEngine
  concurrency?: number
}

/** The image product behind the real gate, over a truthful double of chain and facilitator. */
export async function openImageShop(studio: CoverStudio, ways: Ways = {}) {
  const { choice = { is: 'embedded' }, fetchPublic = unasked, concurrency = imageOffer.concurrency } = ways
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const reports: string[] = []
  const make = makeImage({
    engine: ways.engine ?? openImageEngine(choice, studio, fetchPublic),
    review: (jpeg, expected, signal) => studio.reviewImage({ jpeg, expected }, { signal }),
    report: (kind, error) => reports.push(`${kind}: ${toLogText(error)}`),
    now: () => clock.ms,
  })
  const shop = await openTestShop({ chain, clock, make })
  const handler = shop.gateOf({ ...imageOffer, concurrency })
  const wish = { title: 'The glacier that forgot to stop', style: 'photographic' }
  return {
    ...shop,
    chain,
    clock,
    reports,
    /** A fresh payment, or what `change` makes of it. */
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
