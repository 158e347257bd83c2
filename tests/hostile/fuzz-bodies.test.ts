import fc from 'fast-check'
import { expect, it } from 'vitest'
import { advertisedPrice } from '../../src/offers/offer.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { fuzzedBody } from '../support/fuzzed-input.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { openTestShop } from '../support/test-shop.ts'
import { isPost, testedOffers } from '../support/tested-offers.ts'

const requests = figure(20_000, 1_000_000)
const perRun = 32
const hosted = testedOffers().filter((offer) => offer.lane === 'hostedApi' && isPost(offer))

it.each(hosted.map((offer) => [offer.path, offer] as const))(
  `%s refuses or asks for money, whatever is in the body, and charges nothing (${requests} requests)`,
  { timeout: limitMs(600_000, 7_200_000) },
  async (path, offer) => {
    const clock = { ms: Date.now() }
    const chain = pretendChain(clock)
    const shop = await openTestShop({ chain, clock })
    const sell = shop.gateOf(offer)
    // The payment is below the lowest price, so that input that happens to be valid is refused with 402.
    const { header } = await signPayment({ amount: advertisedPrice(offer) - 1n })
    const headers = { 'payment-signature': header, 'content-type': 'application/json' }
    const send = (body: Buffer) =>
      sell(new Request(`http://farthing.test${path}`, { method: 'POST', headers, body: new Uint8Array(body) }))
    await fc.assert(
      fc.asyncProperty(fc.array(fuzzedBody(offer), { minLength: perRun, maxLength: perRun }), async (bodies) => {
        for (const body of bodies) {
          const answer = await send(body)
          const text = await answer.text()
          const isSound = [400, 402, 413].includes(answer.status) && text.includes('"charged":false')
          if (!isSound) throw new Error(`${body.toString()} was answered ${answer.status}: ${text}`)
        }
      }),
      { numRuns: Math.ceil(requests / perRun), ...seed },
    )
    expect([shop.made.count, chain.calls.settle, shop.errors]).toEqual([0, 0, []])
  },
)
