import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Offer } from '../../src/offers/offer.ts'
import { maxTextBytes } from '../../src/payments/tool-product.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { booklet, leaflet, openTestShop } from '../support/test-shop.ts'

const day = 24 * 60 * 60 * 1000

/** A shop in which a text of this size was bought with a tool. */
async function buyText(bytes: number, { text = 'é', of = leaflet }: { text?: string; of?: Offer } = {}) {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const body = new TextEncoder().encode(text.repeat(bytes / new TextEncoder().encode(text).length))
  const shop = await openTestShop({ chain, clock, make: async () => ({ mimeType: 'text/plain', body }) })
  const tool = shop.toolOf(of)
  const sign = () => signPayment({ amount: 100_000n, token: 'a-token', validBefore: Math.floor(clock.ms / 1000) + 300 })
  const { payload: first } = await sign()
  const buy = (payment: unknown = first) =>
    tool({ arguments: {}, payment, signal: new AbortController().signal, requestId: 'a-request' })
  return { ...shop, chain, clock, body, buy, sign }
}
const link = z.object({ type: z.literal('resource_link'), uri: z.string(), size: z.number() })

it('a text up to the size of a message is in the message', async () => {
  const { buy, body } = await buyText(maxTextBytes)
  expect((await buy()).content[0]).toEqual({ type: 'text', text: new TextDecoder().decode(body) })
})

it('a longer text is returned as its beginning and a resource, which can be read many times for one payment', async () => {
  const { buy, body, payments, chain } = await buyText(maxTextBytes + 2)
  const bought = await buy()
  expect(bought.isError).toBeUndefined()
  expect(JSON.stringify(bought).length).toBeLessThan(3000)
  expect(bought.content[0]).toMatchObject({ type: 'text', text: expect.stringMatching(/It begins:\n\né+$/) })
  const { uri, size } = link.parse(bought.content[1])
  expect(size).toBe(body.length)
  for (let times = 0; times < 7; times++)
    expect(await payments.readPurchase(uri)).toEqual({ body: expect.anything(), mimeType: 'text/plain' })
  expect(Buffer.from((await payments.readPurchase(uri))?.body ?? []).equals(body)).toBe(true)
  expect(await buy()).toEqual(bought)
  expect(chain.calls.transfers).toBe(1)
})

it('a guessed resource, or one derived from a receipt, cannot be read', async () => {
  const { buy, payments } = await buyText(maxTextBytes + 2)
  const { uri } = link.parse((await buy()).content[1])
  const [, , , receipt = '', token = ''] = uri.split('/')
  const other = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
  for (const wrong of [
    uri.replace(token, other),
    uri.replace(token, ''),
    uri.replace(receipt, `r_${'0'.repeat(32)}`),
    uri.replace(receipt, receipt.toUpperCase()),
    uri.replace('purchase:', 'https:'),
    `${uri}/more`,
  ])
    expect([wrong, await payments.readPurchase(wrong)]).toEqual([wrong, undefined])
})

it('the resource can be read as long as the product is stored', async () => {
  const { buy, payments, clock } = await buyText(maxTextBytes + 2)
  const { uri } = link.parse((await buy()).content[1])
  clock.ms += 6 * day
  await payments.forget()
  expect(await payments.readPurchase(uri)).toBeDefined()
  clock.ms += 2 * day
  await payments.forget()
  expect(await payments.readPurchase(uri)).toBeUndefined()
})

describe('an owner who calls the tool again', () => {
  const open = () => buyText(maxTextBytes + 2, { of: booklet })

  it('gets the resource while the text is stored, with its expiry', async () => {
    const { buy, sign, payments, clock, chain } = await open()
    const end = new Date(clock.ms + 7 * day).toISOString()
    const bought = await buy()
    clock.ms += 6 * day
    const owned = await buy((await sign()).payload)
    for (const answer of [bought, owned])
      expect(answer.content[0]).toMatchObject({
        text: expect.stringContaining(`until ${end} and as often as you like`),
      })
    expect(link.parse(owned.content[1])).toEqual(link.parse(bought.content[1]))
    expect(await payments.readPurchase(link.parse(owned.content[1]).uri)).toBeDefined()
    expect(chain.calls.transfers).toBe(1)
  })

  it.each(['is purged', 'may be purged at any moment'])(
    'gets the whole text in the message, for each copy of the call, if the stored text %s',
    async (fate) => {
      const { buy, sign, body, payments, clock, chain } = await open()
      await buy()
      clock.ms += 7 * day + 1
      if (fate === 'is purged') expect((await payments.forget()).products).toBe(1)
      const whole = { type: 'text', text: new TextDecoder().decode(body) }
      const { payload } = await sign()
      for (const answer of [await buy(payload), await buy(payload)]) {
        expect(answer.content).toEqual([whole, expect.objectContaining({ name: 'receipt' })])
        expect(answer._meta).toMatchObject({ charged: false, product: { bytes: body.length } })
      }
      expect(chain.calls.transfers).toBe(1)
    },
  )
})
