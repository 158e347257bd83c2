import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { usd } from '../../src/core/money.ts'
import type { Make } from '../../src/offers/make.ts'
import { defineOffer, type Offer } from '../../src/offers/offer.ts'
import { textProduct } from '../../src/offers/product.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { baseUrl, openTestShop, type TestShop, words } from '../support/test-shop.ts'
import { toResponse, toToolPayment } from '../support/tool-response.ts'

type Way = 'a POST' | 'a GET with a query' | 'a tool call'
const ways: readonly Way[] = ['a POST', 'a GET with a query', 'a tool call']
type Given = Record<string, string>
type Upgrade = Partial<Pick<Offer, 'id' | 'lane' | 'version'>> & { readonly make?: Make }

const price = usd('0.10')

const offerOf = (way: Way, input: z.ZodObject, more: Upgrade = {}): Offer => {
  const { id = 'card', lane = 'hostedApi', version } = more
  const method = way === 'a GET with a query' ? 'GET' : 'POST'
  return defineOffer({
    ...words,
    example: { text: 'ok' },
    id,
    slug: id,
    lane,
    method,
    path: `/${id}`,
    price,
    input,
    ...(version && { version }),
  })
}

/** The input of the product when it was sold first, and after each of three upgrades. */
const schemas = {
  before: z.strictObject({ text: z.string() }),
  stricter: z.strictObject({ text: z.string().max(2) }),
  withDefault: z.strictObject({ text: z.string(), size: z.string().default('small') }),
  otherDefault: z.strictObject({ text: z.string(), size: z.string().default('large') }),
}

const ask = async (shop: TestShop, way: Way, offer: Offer, given: Given, header?: string): Promise<Response> => {
  if (way === 'a tool call') {
    const { signal } = new AbortController()
    const call = { arguments: given, payment: toToolPayment(header), signal, requestId: 'a-request' }
    return toResponse(await shop.toolOf(offer)(call))
  }
  const paid: Record<string, string> = header ? { 'payment-signature': header } : {}
  const url = `${baseUrl}${offer.path}`
  return shop.gateOf(offer)(
    way === 'a POST'
      ? new Request(url, {
          method: 'POST',
          body: JSON.stringify(given),
          headers: { ...paid, 'content-type': 'application/json' },
        })
      : new Request(`${url}?${new URLSearchParams(given)}`, { headers: paid }),
  )
}

/** One ledger and one chain, shared by the programs before and after an upgrade. */
async function openWorld(way: Way) {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const db = await openTestLedger()
  const start = async (input: z.ZodObject, more: Upgrade = {}) => {
    const { make } = more
    const shop = await openTestShop({ chain, clock, db, ...(make && { make }) })
    const offer = offerOf(way, input, more)
    return {
      ...shop,
      ask: (given: Given, header?: string) => ask(shop, way, offer, given, header),
      /** The status, with the fields of the problem if the request failed. */
      async hear(given: Given, header: string) {
        const answer = await ask(shop, way, offer, given, header)
        return { status: answer.status, ...(answer.ok ? {} : await answer.json()) }
      },
    }
  }
  const sign = (token?: string) =>
    signPayment({ amount: price, validBefore: Math.floor(clock.ms / 1000) + 300, ...(token && { token }) })
  return { clock, chain, db, start, sign }
}

describe.each(ways)('a purchase by %s is delivered again to the identical request', (way) => {
  it('when its input is refused by now, and to no other request', async () => {
    const { start, sign, chain, db } = await openWorld(way)
    const { header } = await sign('a-token')
    const before = await start(schemas.before)
    const bought = await (await before.ask({ text: 'long' }, header)).text()
    const after = await start(schemas.stricter)
    const again = await after.ask({ text: 'long' }, header)
    expect([again.status, await again.text()]).toEqual([200, bought])
    expect(await after.hear({ text: 'longer' }, header)).toMatchObject({ status: 400, charged: true })
    expect(await after.hear({ text: 'ok' }, header)).toMatchObject({ status: 402 })
    const other = await start(schemas.stricter, { id: 'other' })
    expect(await other.hear({ text: 'long' }, header)).toMatchObject({ status: 400, charged: true })
    expect([after.made.count, other.made.count, chain.calls.transfers]).toEqual([0, 0, 1])
    await db.destroy()
  })

  it('when a field with a default was added, or its default changed', async () => {
    const { start, sign, chain, db } = await openWorld(way)
    const { header } = await sign('a-token')
    const bought = await (await (await start(schemas.before)).ask({ text: 'long' }, header)).text()
    for (const schema of [schemas.withDefault, schemas.otherDefault]) {
      const after = await start(schema)
      const again = await after.ask({ text: 'long' }, header)
      expect([again.status, await again.text()]).toEqual([200, bought])
      expect(await after.hear({ text: 'short' }, header)).toMatchObject({ status: 402 })
      expect(await after.hear({ text: 'long', size: 'huge' }, header)).toMatchObject({ status: 402 })
      const other = await start(schema, { id: 'other' })
      expect(await other.hear({ text: 'long' }, header)).toMatchObject({ status: 402 })
      expect([after.made.count, other.made.count]).toEqual([0, 0])
    }
    const second = await sign('b-token')
    const small = await (await (await start(schemas.withDefault)).ask({ text: 'long' }, second.header)).text()
    const after = await start(schemas.otherDefault)
    expect(await (await after.ask({ text: 'long' }, second.header)).text()).toBe(small)
    // The input that was bought, with its default written out.
    expect(await (await after.ask({ text: 'long', size: 'small' }, second.header)).text()).toBe(small)
    expect([after.made.count, chain.calls.transfers]).toEqual([0, 2])
    await db.destroy()
  })

  it('when a field that had a default was removed', async () => {
    const { start, sign, chain, db } = await openWorld(way)
    const [shown, bare] = [await sign('a-token'), await sign()]
    const before = await start(schemas.withDefault)
    const bought = await (await before.ask({ text: 'long' }, shown.header)).text()
    const other = await (await before.ask({ text: 'other' }, bare.header)).text()
    const after = await start(schemas.before)
    expect(await (await after.ask({ text: 'long' }, shown.header)).text()).toBe(bought)
    expect((await after.ask({ text: 'other' }, bare.header)).status).toBe(403)
    expect(await (await after.ask({ text: 'other' }, (await sign()).header)).text()).toBe(other)
    expect([after.made.count, chain.calls.transfers]).toEqual([0, 2])
    await db.destroy()
  })

  it.each(['stricter', 'withDefault'] as const)(
    'and, without its token, to a fresh signature of the wallet, which is not charged (%s)',
    async (schema) => {
      const { start, sign, chain, db } = await openWorld(way)
      const { header } = await sign()
      const bought = await (await (await start(schemas.before)).ask({ text: 'long' }, header)).text()
      const after = await start(schemas[schema])
      expect(await after.hear({ text: 'long' }, header)).toMatchObject({ status: 403, charged: true })
      const proof = await sign()
      const fetched = await after.ask({ text: 'long' }, proof.header)
      expect([fetched.status, await fetched.text()]).toEqual([200, bought])
      // The response to the proof may be lost as well.
      const again = await after.ask({ text: 'long' }, proof.header)
      expect([again.status, await again.text()]).toEqual([200, bought])
      expect([after.made.count, chain.calls.transfers]).toEqual([0, 1])
      await db.destroy()
    },
  )
})

it('a purchase whose request was not stored can be fetched with the same request only if parsing had added nothing to it', async () => {
  const { start, sign, chain, db } = await openWorld('a POST')
  const [plain, defaulted] = [await sign('a-token'), await sign('b-token')]
  const bought = await (await (await start(schemas.before)).ask({ text: 'long' }, plain.header)).text()
  await (await start(schemas.withDefault)).ask({ text: 'long' }, defaulted.header)
  await db.updateTable('payment').set({ sent: null }).execute()
  for (const schema of [schemas.stricter, schemas.otherDefault]) {
    const after = await start(schema)
    expect(await (await after.ask({ text: 'long' }, plain.header)).text()).toBe(bought)
  }
  const stricter = await start(schemas.stricter)
  expect(await stricter.hear({ text: 'long' }, defaulted.header)).toMatchObject({ status: 400, charged: true })
  expect(chain.calls.transfers).toBe(2)
  await db.destroy()
})

it('a payment that the ledger has lost is not reported as uncharged when its input is refused', async () => {
  const { start, sign, chain, db } = await openWorld('a POST')
  const [paid, open] = [await sign('a-token'), await sign('b-token')]
  await (await start(schemas.before)).ask({ text: 'long' }, paid.header)
  // The same as restoring a backup from before the purchase.
  await db.deleteFrom('sale').execute()
  await db.deleteFrom('payment').execute()
  const after = await start(schemas.stricter)
  expect(await after.hear({ text: 'long' }, paid.header)).toMatchObject({ status: 400, charged: true })
  expect(await after.hear({ text: 'long' }, open.header)).toMatchObject({ status: 400, charged: false })
  chain.faults.oracle.push('down')
  expect(await after.hear({ text: 'long' }, paid.header)).toMatchObject({ status: 400, charged: 'unknown' })
  await db.destroy()
})

it('a proof fetches what its wallet is owed, even if the wallet is owed an older purchase whose request is unknown', async () => {
  const { start, sign, chain, db } = await openWorld('a POST')
  const before = await start(schemas.before)
  const { header } = await sign()
  const bought = await (await before.ask({ text: 'long' }, header)).text()
  const { key } = await db.selectFrom('payment').select('key').executeTakeFirstOrThrow()
  await before.ask({ text: 'lost' }, (await sign()).header)
  const lost = { fingerprint: 'lost', sent: null, body: null, settled_at: 1 }
  await db.updateTable('payment').set(lost).where('key', '!=', key).execute()
  const after = await start(schemas.stricter)
  expect(await after.hear({ text: 'long' }, header)).toMatchObject({ status: 403, charged: true })
  const fetched = await after.ask({ text: 'long' }, (await sign()).header)
  expect([fetched.status, await fetched.text(), chain.calls.transfers]).toEqual([200, bought, 2])
  await db.destroy()
})

describe.each(ways)('an upgrade that comes before %s is paid', (way) => {
  it('sells the product that was made already and is unpaid, at the price that was signed for it', async () => {
    for (const schema of ['stricter', 'withDefault'] as const) {
      const { start, sign, chain, db } = await openWorld(way)
      const { header } = await sign('a-token')
      chain.faults.settle.push('refused')
      const before = await start(schemas.before)
      expect((await before.ask({ text: 'long' }, header)).status).toBe(402)
      expect(await db.selectFrom('payment').select('state').execute()).toEqual([{ state: 'ready' }])
      const after = await start(schemas[schema])
      const bought = await after.ask({ text: 'long' }, header)
      expect([bought.status, await bought.text()]).toEqual([200, 'made 1 {"text":"long"}'])
      expect([after.made.count, chain.calls.transfers]).toEqual([0, 1])
      await db.destroy()
    }
  })

  it('delivers the product that was made, once its pending payment is settled', async () => {
    for (const schema of ['stricter', 'withDefault'] as const) {
      const { start, sign, chain, db } = await openWorld(way)
      const { header } = await sign('a-token')
      chain.faults.settle.push('pending-late')
      const before = await start(schemas.before)
      expect((await before.ask({ text: 'long' }, header)).status).toBe(503)
      chain.tick()
      const after = await start(schemas[schema])
      const bought = await after.ask({ text: 'long' }, header)
      expect([bought.status, await bought.text()]).toEqual([200, 'made 1 {"text":"long"}'])
      expect([after.made.count, chain.calls.transfers]).toEqual([0, 1])
      await db.destroy()
    }
  })

  it('begins no work for input that is refused by now', async () => {
    const { start, sign, chain, db } = await openWorld(way)
    const { header } = await sign('a-token')
    const before = await start(schemas.before)
    await before.ask({ text: 'long' }, header)
    await db.deleteFrom('sale').execute()
    await db
      .updateTable('payment')
      .set({ state: 'working', body: null, transaction_hash: null, settled_at: null })
      .execute()
    chain.moved.clear()
    const after = await start(schemas.stricter)
    await db
      .updateTable('payment')
      .set({ lease_until: Date.now() + 60_000 })
      .execute()
    expect(await after.hear({ text: 'long' }, header)).toMatchObject({ status: 409, charged: 'unknown' })
    await db.updateTable('payment').set({ lease_until: 1 }).execute()
    expect(await after.hear({ text: 'long' }, header)).toMatchObject({ status: 400, charged: false })
    expect(await db.selectFrom('payment').select('key').execute()).toEqual([])
    expect([after.made.count, chain.calls.transfers]).toEqual([0, 1])
    await db.destroy()
  })
})

describe.each(ways)('an owner of a lasting product, bought by %s', (way) => {
  it.each([
    ['before', 'withDefault'],
    ['withDefault', 'otherDefault'],
    ['withDefault', 'before'],
  ] as const)(
    'does not pay a second time for the same bytes when the request differs after an upgrade (%s, %s)',
    async (was, is) => {
      const { start, sign, chain, db } = await openWorld(way)
      const make = async () => textProduct('the first edition')
      const lasting = { lane: 'content' as const, make }
      const before = await start(schemas[was], lasting)
      const { header } = await sign('a-token')
      expect((await before.ask({ text: 'long' }, header)).status).toBe(200)
      const after = await start(schemas[is], lasting)
      const fetched = await after.ask({ text: 'long' }, (await sign('b-token')).header)
      expect([fetched.status, await fetched.text()]).toEqual([200, 'the first edition'])
      expect(chain.calls.transfers).toBe(1)
      expect((await after.ask({ text: 'else' }, (await sign('c-token')).header)).status).toBe(200)
      expect(chain.calls.transfers).toBe(2)
      await db.destroy()
    },
  )

  it.each(['1.0.0', '2.0.0'])(
    'is not charged for an unpaid product whose input is refused by now, after buying version %s meanwhile',
    async (version) => {
      const { start, sign, chain, db } = await openWorld(way)
      const sell = (schema: z.ZodObject, as: string) =>
        start(schema, { lane: 'content', version: as, make: async () => textProduct(`edition ${as}`) })
      const waits = await sign('a-token')
      chain.faults.settle.push('refused')
      const before = await sell(schemas.before, '1.0.0')
      expect((await before.ask({ text: 'long' }, waits.header)).status).toBe(402)
      const between = await sell(schemas.before, version)
      expect((await between.ask({ text: 'long' }, (await sign('b-token')).header)).status).toBe(200)
      const after = await sell(schemas.stricter, version)
      expect(await after.hear({ text: 'long' }, waits.header)).toMatchObject({ status: 400, charged: false })
      expect(chain.calls.transfers).toBe(1)
      await db.destroy()
    },
  )

  it('is told the price of a new version, and buys it by signing again', async () => {
    const { clock, start, sign, chain, db } = await openWorld(way)
    const sell = (schema: z.ZodObject, version: string) =>
      start(schema, { lane: 'content', version, make: async () => textProduct(`edition ${version}`) })
    const before = await sell(schemas.before, '1.0.0')
    expect((await before.ask({ text: 'long' }, (await sign('a-token')).header)).status).toBe(200)
    const after = await sell(schemas.withDefault, '2.0.0')
    expect((await after.ask({ text: 'long' }, (await sign('b-token')).header)).status).toBe(402)
    clock.ms += 1000
    const bought = await after.ask({ text: 'long' }, (await sign('c-token')).header)
    expect([bought.status, await bought.text(), chain.calls.transfers]).toEqual([200, 'edition 2.0.0', 2])
    await db.destroy()
  })
})

describe('a purchase of a product that is not sold any more', () => {
  const way = 'a POST'
  const askFormer = (shop: TestShop, path: string, given: Given, header: string) =>
    shop.payments.former(
      new Request(baseUrl + path, {
        method: 'POST',
        body: JSON.stringify(given),
        headers: { 'payment-signature': header, 'content-type': 'application/json' },
      }),
    )

  it('is fetched with the request that has paid, and with no other one', async () => {
    const { clock, chain, db, start, sign } = await openWorld(way)
    const { header } = await sign('a-token')
    const bought = await (await (await start(schemas.withDefault)).ask({ text: 'long' }, header)).text()
    const shop = await openTestShop({ chain, clock, db })
    const again = await askFormer(shop, '/card', { text: 'long' }, header)
    expect([again?.status, await again?.text(), again?.headers.get('x-receipt-id')]).toEqual([
      200,
      bought,
      expect.stringMatching(/^r_/),
    ])
    const other = await askFormer(shop, '/card', { text: 'short' }, header)
    expect([other?.status, await other?.json()]).toMatchObject([400, { charged: true }])
    expect(await askFormer(shop, '/other', { text: 'long' }, header)).toBeUndefined()
    expect(await askFormer(shop, '/card', { text: 'long' }, (await sign('b-token')).header)).toBeUndefined()
    expect([shop.made.count, chain.calls.transfers]).toEqual([0, 1])
    await db.destroy()
  })

  it('has to be waited for while another program works on it, which may still charge for it', async () => {
    const { clock, chain, db, start, sign } = await openWorld(way)
    const { header } = await sign('a-token')
    await (await start(schemas.before)).ask({ text: 'long' }, header)
    await db.deleteFrom('sale').execute()
    const working = { state: 'working' as const, body: null, transaction_hash: null, settled_at: null }
    await db
      .updateTable('payment')
      .set({ ...working, lease_until: Date.now() + 60_000 })
      .execute()
    const shop = await openTestShop({ chain, clock, db })
    const again = await askFormer(shop, '/card', { text: 'long' }, header)
    expect([again?.status, await again?.json()]).toMatchObject([409, { charged: 'unknown' }])
    await db.destroy()
  })

  it('is refused with a link to the library if it was paid without a token, because no price is quoted that could be signed', async () => {
    const { clock, chain, db, start, sign } = await openWorld(way)
    const { header } = await sign()
    await (await start(schemas.before)).ask({ text: 'long' }, header)
    const shop = await openTestShop({ chain, clock, db })
    const again = await askFormer(shop, '/card', { text: 'long' }, header)
    expect([again?.status, await again?.json()]).toMatchObject([
      403,
      { charged: true, detail: expect.stringContaining(`${baseUrl}/library`) },
    ])
    await db.destroy()
  })
})
