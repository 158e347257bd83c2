import { expect, it } from 'vitest'
import type { Make } from '../../src/offers/make.ts'
import { textProduct } from '../../src/offers/product.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { booklet, openTestShop } from '../support/test-shop.ts'

/** A shop whose work can be held up. */
async function open() {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const held = { isOn: false, begun: 0, end: () => {} }
  const make: Make = async (_, signal) => {
    if (held.isOn) {
      held.begun++
      await new Promise<void>((resolve, reject) => {
        held.end = resolve
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    }
    return textProduct('the first edition')
  }
  const shop = await openTestShop({ chain, clock, make })
  const sign = async () => (await signPayment({ amount: 100_000n })).header
  const begun = () => expect.poll(() => held.begun).toBe(1)
  return { ...shop, chain, clock, held, sign, begun }
}

const ways = ['http', 'mcp'] as const

it.each(ways)(
  'an owner whose connection drops while the product is made again for comparison is no error: %s',
  async (by) => {
    const { buyerOf, sign, held, begun, errors } = await open()
    const buy = buyerOf(booklet, by)
    expect((await buy(await sign())).status).toBe(200)
    held.isOn = true
    const buyer = new AbortController()
    const answer = buy(await sign(), { signal: buyer.signal })
    await begun()
    buyer.abort()
    await answer
    expect(errors).toEqual([])
  },
)
