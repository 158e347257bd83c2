import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineOffer } from '../../src/offers/offer.ts'
import { maxTextBytes } from '../../src/payments/tool-product.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { leaflet, openTestShop } from '../support/test-shop.ts'

const day = 24 * 60 * 60 * 1000

/** A shop in which somebody bought a text of so many bytes by a tool. */
async function buyText(bytes: number, text = 'é') {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const body = new TextEncoder().encode(text.repeat(bytes / new TextEncoder().encode(text).length))
  const shop = await openTestShop({ chain, clock, make: async () => ({ mimeType: 'text/plain', body }) })
  const tool = shop.toolOf(defineOffer({ ...leaflet, mimeType: 'text/plain' }))
  const { payload } = await signPayment({ amount: 100_000n, token: 'a-token' })
  const buy = () =>
    tool({ arguments: {}, payment: payload, signal: new AbortController().signal, requestId: 'a-request' })
  return { ...shop, chain, clock, body, buy }
}
const link = z.object({ type: z.literal('resource_link'), uri: z.string(), size: z.number() })

it('a text as long as a message may be is in the message', async () => {
  const { buy, body } = await buyText(maxTextBytes)
  expect((await buy()).content[0]).toEqual({ type: 'text', text: new TextDecoder().decode(body) })
})

it('a longer one is told of with its first words, and read whole at its address, as often as one likes, for one payment', async () => {
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

it('an address that was guessed, or that is made from a receipt, reads nothing', async () => {
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

it('the address is good for as long as the product is kept', async () => {
  const { buy, payments, clock } = await buyText(maxTextBytes + 2)
  const { uri } = link.parse((await buy()).content[1])
  clock.ms += 6 * day
  await payments.forget()
  expect(await payments.readPurchase(uri)).toBeDefined()
  clock.ms += 2 * day
  await payments.forget()
  expect(await payments.readPurchase(uri)).toBeUndefined()
})
