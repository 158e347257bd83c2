import { expect, it } from 'vitest'
import type { Make } from '../../src/offers/make.ts'
import { textProduct } from '../../src/offers/product.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { booklet, leaflet, openTestShop } from '../support/test-shop.ts'

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

it.each(ways)('an owner whose first connection drops gets the product on the second one: %s', async (by) => {
  const { buyerOf, sign, held, begun, errors } = await open()
  const buy = buyerOf(booklet, by)
  expect((await buy(await sign())).status).toBe(200)
  held.isOn = true
  const proof = await sign()
  const first = new AbortController()
  void buy(proof, { signal: first.signal })
  await begun()
  const second = buy(proof)
  await new Promise((resolve) => setTimeout(resolve, 200))
  first.abort()
  await new Promise((resolve) => setTimeout(resolve, 200))
  held.end()
  const answer = await second
  expect([answer.status, await answer.text(), errors]).toEqual([200, 'the first edition', []])
})

it('a buyer of a lost purchase whose first connection drops gets the product on the second one', async () => {
  const { buyerOf, sign, held, begun, errors, db } = await open()
  const buy = buyerOf(leaflet)
  const lost = await sign()
  expect((await buy(lost)).status).toBe(200)
  await db.deleteFrom('sale').execute()
  await db.deleteFrom('payment').execute()
  expect((await buy(lost)).status).toBe(403)
  held.isOn = true
  const proof = await sign()
  const first = new AbortController()
  void buy(proof, { signal: first.signal })
  await begun()
  const second = buy(proof)
  await new Promise((resolve) => setTimeout(resolve, 200))
  first.abort()
  await new Promise((resolve) => setTimeout(resolve, 200))
  held.end()
  const answer = await second
  expect([answer.status, await answer.text(), errors]).toEqual([200, 'the first edition', []])
})
