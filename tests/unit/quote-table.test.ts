import { expect, it } from 'vitest'
import { usdcAddress } from '../../src/core/chain-constants.ts'
import type { Offer } from '../../src/offers/offer.ts'
import { httpWording } from '../../src/payments/gate.ts'
import { makeQuoteTable } from '../../src/payments/quote-table.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { testPayTo } from '../support/signed-payments.ts'
import { baseUrl, bundle, leaflet, openTestShop } from '../support/test-shop.ts'

const deps = {
  baseUrl,
  sellerUrl: baseUrl,
  shopName: 'Test',
  wallet: { payTo: testPayTo, asset: usdcAddress },
  advertise: () => ({}),
  quoted: () => {},
  wording: httpWording,
  toResourceUrl: ({ path }: Offer) => baseUrl + path,
}
const table = makeQuoteTable(deps, [leaflet, bundle])
const request = (method: string, url: string, headers: Record<string, string> = {}) => ({ method, url, headers })
const token = /[A-Za-z0-9_-]{24}(?="})/
const decode = (header: string) => Buffer.from(header, 'base64').toString()

it('answers as the gate does, except for the random token', async () => {
  const clock = { ms: Date.now() }
  const shop = await openTestShop({ chain: pretendChain(clock), clock })
  const gated = await shop.buyLeaflet()
  const quote = table.find(request('GET', '/leaflet'))
  const withoutToken = (text = '') => text.replace(token, '')
  expect(withoutToken(quote?.body)).toBe(withoutToken(await gated.text()))
  expect(withoutToken(decode(quote?.header ?? ''))).toBe(
    withoutToken(decode(gated.headers.get('payment-required') ?? '')),
  )
  expect({ ...table.headers, 'payment-required': expect.any(String) }).toEqual(Object.fromEntries(gated.headers))
  await shop.db.destroy()
})

it('gives every 402 a token of its own, the same in header and body', () => {
  const seen = Array.from({ length: 2000 }, () => {
    const { header = '', body = '' } = table.find(request('GET', '/leaflet')) ?? {}
    const [inBody, inHeader] = [body, decode(header)].map((text) => token.exec(text)?.[0])
    expect(inHeader).toBe(inBody)
    return inBody
  })
  expect(new Set(seen).size).toBe(2000)
})

it('encodes letters of any alphabet with one byte per character', () => {
  const title = 'Ein „Blatt“ für 🐈'
  const { body = '', header = '' } =
    makeQuoteTable(deps, [{ ...leaflet, title, excerpt: title }]).find(request('GET', '/leaflet')) ?? {}
  expect(Buffer.byteLength(body)).toBe(body.length)
  expect(JSON.parse(body).detail).toContain(title)
  expect(JSON.parse(decode(header)).resource.description).toBe(title)
})

it.each<[method: string, url: string, headers: Record<string, string>]>([
  ['HEAD', '/leaflet', {}],
  ['POST', '/leaflet', {}],
  ['GET', '/leaflet?', {}],
  ['GET', '/leaflet/', {}],
  ['GET', '/bundle', {}],
  ['OPTIONS', '/bundle', {}],
  ['GET', '/leaflet', { accept: 'text/html,*/*;q=0.8' }],
])('leaves all other requests to the gate: %s %s %j', (method, url, headers) => {
  expect(table.find(request(method, url, headers))).toBeUndefined()
})
