import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineOffer, type Offer } from '../../src/offers/offer.ts'
import { type Product, textProduct } from '../../src/offers/product.ts'
import { maxInlineBytes } from '../../src/payments/tool-product.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { type PaymentWish, signPayment } from '../support/signed-payments.ts'
import { baseUrl, bundle, leaflet, openTestShop } from '../support/test-shop.ts'

const open = async (product?: Product) => {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const shop = await openTestShop({ chain, clock, ...(product && { make: async () => product }) })
  const call = (offer: Offer, given: unknown, payment?: unknown) =>
    shop.toolOf(offer)({
      arguments: given,
      payment,
      signal: new AbortController().signal,
      requestId: 'a-request',
    })
  return { chain, ...shop, call }
}
const pay = (wish: Partial<PaymentWish> = {}) => signPayment({ amount: 60_000n, token: 'a-token', ...wish })
const pages = { pages: ['a'] }
const termsSchema = z.looseObject({
  accepts: z.array(z.unknown()),
  extensions: z.looseObject({ redelivery: z.looseObject({ info: z.unknown() }) }),
})

it('answers an unpaid call with terms for its arguments, as structure and as the same JSON', async () => {
  const { call } = await open()
  const { content, structuredContent, isError } = await call(bundle, { pages: ['a', 'b', 'c'] })
  expect(isError).toBe(true)
  const [terms, sentence] = content.map((part) => (part.type === 'text' ? part.text : ''))
  expect([content.length, JSON.parse(terms ?? '')]).toEqual([2, structuredContent])
  expect(sentence).toContain('_meta["x402/payment"]')
  expect(structuredContent).toMatchObject({
    x402Version: 2,
    error: 'payment_required',
    resource: { url: 'mcp://tool/bundle' },
    accepts: [{ scheme: 'exact', amount: '80000' }],
    charged: false,
  })
})

it('states the price and the fault of an unpaid call with invalid arguments', async () => {
  const { call } = await open()
  expect((await call(bundle, { pages: [], extra: 1 })).structuredContent).toMatchObject({
    accepts: [{ amount: '60000' }],
    errors: [{ pointer: '/pages' }, { pointer: '/extra' }],
  })
  for (const nothing of [undefined, {}])
    expect((await call(bundle, nothing)).structuredContent).not.toHaveProperty('errors')
})

it('repeats the terms where other wallets look, in characters that they can decode', async () => {
  const { call } = await open()
  const { structuredContent, _meta } = await call(bundle, { pages: ['a'] })
  const terms = termsSchema.parse(_meta?.['x402/error'])
  expect(terms).toMatchObject({
    accepts: [{ amount: '60000' }],
    resource: { url: 'mcp://tool/bundle' },
    extensions: { redelivery: { info: { token: expect.any(String) } } },
  })
  expect(() => btoa(JSON.stringify(terms))).not.toThrow()
  expect(structuredContent).toMatchObject({
    accepts: terms.accepts,
    extensions: { redelivery: { info: terms.extensions.redelivery.info } },
  })
})

it('accepts a payment as an object and as the text of a header', async () => {
  const { call, chain, made } = await open()
  const { payload, header } = await pay()
  const byText = await call(bundle, pages, header)
  expect(byText).not.toHaveProperty('isError')
  expect(await call(bundle, pages, payload)).toEqual(byText)
  expect([made.count, chain.calls.transfers]).toEqual([1, 1])
})

it('delivers a paid call with its receipt, and again for the same payment', async () => {
  const { call, chain, made, payments } = await open()
  const { payload } = await pay()
  const first = await call(bundle, pages, payload)
  expect(first).toMatchObject({
    content: [{ type: 'text', text: 'made 1 {"pages":["a"],"note":"none"}' }, { type: 'resource_link' }],
    _meta: { 'x402/payment-response': { success: true, network: 'eip155:8453', amount: '60000' } },
  })
  const { receipt } = z.object({ receipt: z.object({ id: z.string(), url: z.string() }) }).parse(first._meta)
  expect(receipt.url).toBe(`${baseUrl}/api/receipts/${receipt.id}.json`)
  expect(await payments.receipts.find(receipt.id)).toMatchObject({ path: '/bundle', amountMicroUsd: '60000' })
  expect(await call(bundle, { note: 'none', ...pages }, payload)).toEqual(first)
  expect([made.count, chain.calls.transfers]).toEqual([1, 1])
})

it('makes the same purchase as over HTTP, in either order', async () => {
  const { call, buyBundle, chain, made } = await open()
  const [one, other] = [await pay(), await pay()]
  const byTool = await call(bundle, pages, one.payload)
  const byPath = await buyBundle(pages, one.header)
  expect(byTool.content[0]).toEqual({ type: 'text', text: await byPath.text() })
  const text = await (await buyBundle({ pages: ['b'] }, other.header)).text()
  expect((await call(bundle, { pages: ['b'] }, other.payload)).content[0]).toEqual({ type: 'text', text })
  expect([made.count, chain.calls.transfers]).toEqual([2, 2])
})

it('accepts the query of a GET as arguments, and refuses others uncharged, so that nothing else is sold', async () => {
  const input = z.object({ format: z.enum(['json', 'jsonl']).optional(), inspect: z.literal('1').optional() })
  const asked: unknown[] = []
  const make = async (given: unknown) => {
    asked.push(given)
    return textProduct('lines')
  }
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const { toolOf } = await openTestShop({ chain, clock, make })
  const call = toolOf(defineOffer({ ...leaflet, input, inspect: () => 'what it is' }))
  const ask = async (given: object) =>
    call({
      arguments: given,
      payment: (await pay({ amount: 100_000n })).payload,
      signal: new AbortController().signal,
      requestId: 'a-request',
    })
  expect((await ask({ format: 'csv' })).structuredContent).toMatchObject({ code: 'invalid-input', charged: false })
  expect(await ask({ format: 'jsonl', other: 1, inspect: '1' })).not.toHaveProperty('isError')
  expect([asked, chain.calls.transfers]).toStrictEqual([[{ format: 'jsonl' }], 1])
})

it('refuses wrong arguments uncharged, and then sells for the same payment', async () => {
  const { call, chain } = await open()
  const { payload } = await pay()
  const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)
  for (const [given, code] of [
    [{ pages: 'a' }, 'invalid-input'],
    [{ ...pages, typo: 1 }, 'invalid-input'],
    [[], 'invalid-input'],
    ['a', 'invalid-input'],
    [{ pages: deep }, 'invalid-input'],
    [{ pages: ['a'.repeat(70_000)] }, 'body-too-large'],
  ] as const) {
    const { isError, structuredContent } = await call(bundle, given, payload)
    expect([isError, structuredContent]).toMatchObject([true, { code, charged: false, hint: expect.any(String) }])
    expect(structuredContent).not.toHaveProperty('accepts')
  }
  expect(chain.calls.verify).toBe(0)
  expect(await call(bundle, pages, payload)).not.toHaveProperty('isError')
})

it('sells nothing else for a used payment, and nothing for an unreadable one', async () => {
  const { call, chain } = await open()
  const { payload, header } = await pay()
  await call(bundle, pages, payload)
  const reason = async (payment: unknown) =>
    (await call(bundle, { pages: ['b'] }, payment)).structuredContent?.['error']
  expect(await reason(payload)).toBe('payment_already_used')
  const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`)
  for (const unreadable of [null, 1, `${header},`, 'nothing', {}, [payload], { ...payload, x402Version: 1 }, deep])
    expect(await reason(unreadable)).toBe('invalid_payload')
  expect(await reason({ ...payload, padding: 'x'.repeat(12_000) })).toBe('invalid_payload')
  expect(chain.calls.transfers).toBe(1)
})

it('never shows terms while money may have moved: it asks to repeat the call', async () => {
  const { call, chain } = await open()
  const { payload } = await pay()
  chain.faults.settle.push('lost-answer')
  chain.faults.oracle.push('down', 'down')
  const unknown = await call(bundle, pages, payload)
  expect(unknown).toMatchObject({
    isError: true,
    structuredContent: { code: 'settlement-unknown', charged: 'unknown', retryable: true, retryAfterSeconds: 3 },
    _meta: { 'x402/payment-response': { success: false, errorReason: 'settlement_pending' } },
  })
  expect(unknown.structuredContent).not.toHaveProperty('accepts')
  expect(await call(bundle, pages, payload)).not.toHaveProperty('isError')
  expect(chain.calls.transfers).toBe(1)
})

it('shows new terms with the reason if settlement was refused', async () => {
  const { call, chain } = await open()
  chain.faults.settle.push('refused')
  const { structuredContent, _meta } = await call(bundle, pages, (await pay()).payload)
  expect(structuredContent).toMatchObject({ x402Version: 2, accepts: [{ amount: '60000' }], charged: false })
  expect(_meta).toMatchObject({ 'x402/payment-response': { success: false } })
})

it.each([
  ['image/jpeg', 'image'],
  ['audio/mpeg', 'audio'],
] as const)('carries %s as %s content, and says where a larger one waits', async (mimeType, type) => {
  const offer = defineOffer({ ...leaflet, id: type, mimeType })
  const { payload } = await signPayment({ amount: 100_000n, token: 'a-token' })
  const buy = async (bytes: number) => {
    const body = new Uint8Array(bytes).fill(7)
    const shop = await open({ mimeType, body, headers: { 'X-Media-Engine': 'embedded' } })
    return (await shop.call(offer, {}, payload)).content
  }
  expect(await buy(3)).toMatchObject([
    { type, mimeType, data: 'BwcH' },
    { type: 'text', text: 'X-Media-Engine: embedded' },
    { type: 'resource_link', name: 'receipt' },
  ])
  expect(await buy(maxInlineBytes + 1)).toMatchObject([
    { type: 'text', text: expect.stringContaining('nothing is charged again') },
    { type: 'resource_link', uri: `${baseUrl}/leaflet`, size: maxInlineBytes + 1 },
    { name: 'receipt' },
  ])
})

it('returns JSON unchanged and as structure', async () => {
  const text = '{ "one": [1] }'
  const { call } = await open({ mimeType: 'application/json; charset=utf-8', body: Buffer.from(text) })
  const { payload } = await signPayment({ amount: 100_000n })
  const offer = defineOffer({ ...leaflet, id: 'data', mimeType: 'application/json' })
  expect(await call(offer, {}, payload)).toMatchObject({
    content: [{ type: 'text', text }, { name: 'receipt' }],
    structuredContent: { one: [1] },
  })
})
