import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { signFor } from '../support/paid-request.ts'
import { makeProductDetector } from '../support/product-bytes.ts'
import { type RunningSite, startSite, testBuild, toLocalFetch } from '../support/running-site.ts'
import { startSharedCache } from '../support/shared-cache.ts'
import { decodeHeader } from '../support/stock-client.ts'
import { isAtHand, testedOffers } from '../support/tested-offers.ts'

const offers = testedOffers()
const atHand = offers.filter(isAtHand)
const findProduct = makeProductDetector(testBuild())

let money: RunningMoney
let site: RunningSite
let cache: Awaited<ReturnType<typeof startSharedCache>>
/** Fetches through the shared cache that stands in front of the site. */
let get: typeof fetch
beforeAll(async () => {
  money = await startMoney()
  site = await startSite(money)
  cache = await startSharedCache(site.port)
  get = toLocalFetch(cache.port)
})
afterAll(async () => {
  cache?.close()
  await site?.kill('SIGTERM')
  await money?.stop()
})

const tokenOf = (answer: Response): string | undefined =>
  /"token":"([\w-]{24})"/.exec(JSON.stringify(decodeHeader(answer.headers.get('payment-required'))))?.[1]

describe('a shared cache', () => {
  it('keeps what may be kept', async () => {
    for (const path of ['/api/stats.json', '/api/catalog.json']) {
      const hits = cache.hits
      const [first, second] = [await get(path), await get(path)]
      expect([path, first.status, cache.hits]).toEqual([path, 200, hits + 1])
      expect([second.headers.get('age'), await second.text()]).toEqual(['1', await first.text()])
    }
  })

  it.each(atHand.map((offer) => [offer.path, offer] as const))(
    'never serves %s to anybody but its buyer',
    async (path, offer) => {
      const { header } = await signFor(offer)
      const buy = () => get(path, { headers: { 'PAYMENT-SIGNATURE': header } })
      expect((await get(path)).status).toBe(402)
      const bought = await buy()
      expect([bought.status, bought.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
      const bytes = await bought.text()
      expect(findProduct(bytes)).toBeDefined()

      const others: RequestInit[] = [
        {},
        { headers: { 'PAYMENT-SIGNATURE': 'junk' } },
        { headers: { Accept: '*/*' } },
        { headers: { Accept: 'text/html' } },
        { headers: { Range: 'bytes=0-99' } },
        { headers: { 'If-None-Match': '*' } },
        { headers: { 'Cache-Control': 'only-if-cached, max-stale=999999' } },
        { method: 'HEAD' },
      ]
      for (const other of others) {
        const answer = await get(path, other)
        expect([other, answer.status, findProduct(await answer.text())]).toEqual([other, 402, undefined])
      }
      // The buyer gets it again from the site, not from the cache.
      const again = await buy()
      expect([again.status, again.headers.get('age'), await again.text()]).toEqual([200, null, bytes])
    },
  )

  it('never serves one quote to two clients', async () => {
    for (const { path, method } of offers) {
      const answers = [await get(path, { method }), await get(path, { method })]
      expect([path, answers.map(({ status }) => status)]).toEqual([path, [402, 402]])
      expect(new Set(answers.map(tokenOf)).size).toBe(2)
    }
  })

  it('holds no product and no quote after all that', () => {
    expect(cache.stored.size).toBeGreaterThan(0)
    for (const [url, entries] of cache.stored)
      for (const { status, body, headers } of entries) {
        expect([url, status]).not.toEqual([url, 402])
        expect([url, headers['payment-response'], findProduct(body.toString('utf8'))]).toEqual([
          url,
          undefined,
          undefined,
        ])
      }
  })
})

describe('Cache-Control', () => {
  const shapes: [what: string, init: RequestInit][] = [
    ['no payment', {}],
    ['a browser', { headers: { accept: 'text/html' } }],
    ['junk for a payment', { headers: { 'PAYMENT-SIGNATURE': 'junk' } }],
  ]

  it.each(shapes)('is no-store for each 402 (%s)', async (_, init) => {
    for (const { path, method } of offers)
      for (const target of [path, `${path}?a=1`]) {
        const answer = await site.fetch(target, { ...init, method })
        await answer.arrayBuffer()
        expect([target, answer.status, answer.headers.get('cache-control')]).toEqual([target, 402, 'no-store'])
        const vary = answer.headers.get('vary')?.toLowerCase()
        expect([vary?.includes('payment-signature'), vary?.includes('accept')]).toEqual([true, true])
        for (const name of ['etag', 'last-modified', 'expires', 'age']) expect(answer.headers.get(name)).toBeNull()
      }
  })

  it('is no-store for each refusal', async () => {
    for (const offer of offers) {
      const lines = { 'PAYMENT-SIGNATURE': (await signFor(offer)).header, 'content-type': 'text/plain' }
      const refused = await site.fetch(offer.path, { method: 'PATCH', headers: lines, body: '{' })
      expect([offer.path, refused.status, refused.headers.get('cache-control')]).toEqual([offer.path, 405, 'no-store'])
      if (offer.method !== 'POST') continue
      const wrong = await site.fetch(offer.path, { method: 'POST', headers: lines, body: '{' })
      expect([offer.path, wrong.status, wrong.headers.get('cache-control')]).toEqual([offer.path, 415, 'no-store'])
    }
  })

  it.each(atHand.map((offer) => [offer.path, offer] as const))(
    'is "private, no-store" for %s, the first time and again',
    async (path, offer) => {
      const { header } = await signFor(offer)
      for (const query of ['', '?cached=please']) {
        const { status, headers } = await site.fetch(path + query, { headers: { 'PAYMENT-SIGNATURE': header } })
        expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store'])
        for (const name of ['last-modified', 'expires', 'age', 'accept-ranges']) expect(headers.get(name)).toBeNull()
        // The tag is only for the buyer: a condition is checked only for a client that pays or has paid.
        expect(headers.get('etag')).toMatch(/^"[0-9a-f]{64}"$/)
      }
    },
  )
})
