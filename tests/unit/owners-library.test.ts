import { sql } from 'kysely'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { eurc } from '../../src/core/assets.ts'
import { chainId } from '../../src/core/chain-constants.ts'
import type { Make } from '../../src/offers/make.ts'
import type { Offer } from '../../src/offers/offer.ts'
import { textProduct } from '../../src/offers/product.ts'
import { librarySchema } from '../../src/owners/library-schema.ts'
import { openLibrary } from '../../src/owners/open-library.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { booklet, leaflet, openTestShop } from '../support/test-shop.ts'

const baseUrl = 'https://shop.example'
const buyer = privateKeyToAccount(sandboxAccounts.buyer.privateKey)
const stranger = privateKeyToAccount(`0x${'5'.repeat(64)}`)
const minute = 60_000
const guide = { ...booklet, id: 'guide', path: '/guide', version: '1.0.0' } as const
type Fields = Parameters<typeof createSiweMessage>[0]

async function open({ hasCode = false } = {}) {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const oracle = { ...chain.oracle, hasCode: async () => hasCode, accepts: async () => hasCode }
  const written = { text: 'the first edition' }
  const make = async () => textProduct(written.text)
  const shop = await openTestShop({ chain: { ...chain, oracle }, clock, make })
  const openWith = (
    offers: readonly Offer[] = [booklet, guide, leaflet],
    { mostAtOnce = 1000, findMake = (): Make => make } = {},
  ) =>
    openLibrary({
      mostAtOnce,
      ...shop.payments.forLibrary,
      db: shop.db,
      products: makeProductStore('/nonexistent'),
      baseUrl,
      offers,
      findMake,
      now: () => clock.ms,
    })
  const library = openWith()
  const post = (body: object, headers: Record<string, string> = {}) =>
    new Request(baseUrl, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', origin: baseUrl, ...headers },
    })
  const messageFor = async (address: string): Promise<string> =>
    (await (await library.giveMessage(post({ address }))).json()).message
  /** Signs a sign-in message, with fields changed as an attacker might, and sends it. */
  const signIn = async (change: (fields: Fields) => Partial<Fields> = () => ({}), signer = buyer) => {
    const asked = await messageFor(buyer.address)
    const fields = parseSiweMessage(asked) as Fields
    const message = createSiweMessage({ ...fields, ...change(fields) })
    const signed = { message, signature: await signer.signMessage({ message }) }
    return { signed, answer: await library.signIn(post(signed)) }
  }
  const cookieOf = (answer: Response) => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const withCookie = (cookie: string) => new Request(baseUrl, { headers: { cookie } })
  const buy = async (offer: typeof booklet | typeof guide | typeof leaflet) => {
    const validBefore = Math.floor(clock.ms / 1000) + 300
    const { header } = await signPayment({ amount: 100_000n, validBefore, token: 'a' })
    return (await shop.buyerOf(offer)(header)).headers.get('x-receipt-id') ?? ''
  }
  return { ...shop, clock, written, library, openWith, post, signIn, cookieOf, withCookie, buy, messageFor }
}

describe('a wallet that signs in', () => {
  it('sees its purchases, with a cookie that scripts, other sites and other hosts cannot read', async () => {
    const { buy, signIn, library, cookieOf, withCookie } = await open()
    const receiptId = await buy(booklet)
    const { answer } = await signIn()
    expect([answer.status, await answer.json()]).toEqual([200, { wallet: buyer.address.toLowerCase() }])
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-library=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    )
    const shown = await library.json(withCookie(cookieOf(answer)))
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect(await shown.json()).toMatchObject({
      count: 1,
      purchases: [{ receiptId, path: '/booklet', download: `${baseUrl}/api/library/${receiptId}` }],
    })
    const again = await library.download(withCookie(cookieOf(answer)), receiptId)
    expect([await again.text(), again.headers.get('x-charged')]).toEqual(['the first edition', 'false'])
    expect(again.headers.get('content-disposition')).toBe('attachment; filename="test.txt"')
  })

  it('without purchases sees an empty list, and nothing that others bought', async () => {
    const { buy, library, messageFor, post, cookieOf, withCookie } = await open()
    const receiptId = await buy(booklet)
    const message = await messageFor(stranger.address)
    const answer = await library.signIn(post({ message, signature: await stranger.signMessage({ message }) }))
    const own = withCookie(cookieOf(answer))
    expect(await (await library.json(own)).json()).toMatchObject({ count: 0, purchases: [] })
    expect((await library.download(own, receiptId)).status).toBe(404)
  })

  it('is signed out after an hour, and everywhere when it signs out anywhere', async () => {
    const { signIn, library, cookieOf, withCookie, clock, post } = await open()
    const [stolen, own] = [cookieOf((await signIn()).answer), cookieOf((await signIn()).answer)]
    expect((await library.json(withCookie(stolen))).status).toBe(200)
    const out = await library.signOut(post({}, { cookie: own }))
    expect([out.status, out.headers.get('set-cookie')]).toEqual([303, expect.stringContaining('=; Max-Age=0')])
    for (const cookie of [stolen, own]) expect((await library.json(withCookie(cookie))).status).toBe(401)
    const later = cookieOf((await signIn()).answer)
    clock.ms += 60 * minute
    expect((await library.json(withCookie(later))).status).toBe(401)
  })

  it('may be a contract, which is asked whether it signed', async () => {
    const { library, messageFor, post } = await open({ hasCode: true })
    const message = await messageFor(stranger.address)
    expect((await library.signIn(post({ message, signature: `0x${'ab'.repeat(80)}` }))).status).toBe(200)
  })

  it('with a header sees the list once for each message', async () => {
    const { signIn, library } = await open()
    const { signed } = await signIn((fields) => ({ requestId: fields.nonce }))
    const { address, statement, nonce, ...fields } = parseSiweMessage(signed.message)
    const payload = { ...fields, address, statement, nonce, chainId: `eip155:${chainId}`, type: 'eip191' }
    const toHeader = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64')
    const ask = (header: string) => library.json(new Request(baseUrl, { headers: { 'sign-in-with-x': header } }))
    // This message has already opened a session.
    expect((await ask(toHeader({ ...payload, signature: signed.signature }))).status).toBe(401)
    for (const header of ['', 'e30=', '%']) expect((await ask(header)).status).toBe(401)
  })
})

describe('nobody is signed in by a message', () => {
  it.each<[string, (fields: Fields) => Partial<Fields>]>([
    ['for another host', () => ({ domain: 'shop.example.evil.test' })],
    ['with a scheme before the host', () => ({ scheme: 'https' })],
    ['for another address', () => ({ uri: `${baseUrl}/skills` })],
    ['for another chain', () => ({ chainId: 1 })],
    ['with a number that was not made out here', () => ({ nonce: 'a'.repeat(36) })],
    ['from the future', ({ issuedAt = new Date() }) => ({ issuedAt: new Date(issuedAt.getTime() + minute) })],
    ['of an hour ago', ({ issuedAt = new Date() }) => ({ issuedAt: new Date(issuedAt.getTime() - 60 * minute) })],
    ['that has expired', ({ issuedAt = new Date() }) => ({ expirationTime: issuedAt })],
    ['that is valid later', ({ issuedAt = new Date() }) => ({ notBefore: new Date(issuedAt.getTime() + minute) })],
    ['of another wallet', () => ({ address: stranger.address })],
  ])('%s', async (_, change) => {
    const { signIn } = await open()
    const { answer } = await signIn(change)
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null])
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
  })

  it('that another wallet signed, that was used before, or that is too old', async () => {
    const { signIn, library, post, clock, messageFor } = await open()
    expect((await signIn(() => ({}), stranger)).answer.status).toBe(401)
    const { signed, answer } = await signIn()
    expect(answer.status).toBe(200)
    const replayed = await library.signIn(post(signed))
    expect([replayed.status, await replayed.json()]).toMatchObject([401, { detail: /used before/ }])
    const message = await messageFor(buyer.address)
    clock.ms += 11 * minute
    expect((await library.signIn(post({ message, signature: await buyer.signMessage({ message }) }))).status).toBe(401)
  })

  it('that was used before, for as long as it is fresh', async () => {
    const { signIn, library, post, clock } = await open()
    clock.ms -= clock.ms % minute
    // The clock of the program that issued it was five seconds ahead.
    const issuedAt = new Date(clock.ms + 5000)
    const expirationTime = new Date(issuedAt.getTime() + 10 * minute)
    const { signed, answer } = await signIn(() => ({ issuedAt, expirationTime }))
    expect(answer.status).toBe(200)
    clock.ms = expirationTime.getTime() - 1
    const replayed = await library.signIn(post(signed))
    expect([replayed.status, await replayed.json()]).toMatchObject([401, { detail: /used before/ }])
  })

  it('that has text beside its fields', async () => {
    const { library, post, messageFor } = await open()
    const message = await messageFor(buyer.address)
    const changed = [
      `${message}\nI also give away my books`,
      `Read this:\n${message}`,
      message.replace('Nonce:', 'Nonce: '),
    ]
    const statuses = await Promise.all(
      [...changed, message].map(async (text) => {
        const signature = await buyer.signMessage({ message: text })
        return (await library.signIn(post({ message: text, signature }))).status
      }),
    )
    expect(statuses).toEqual([401, 401, 401, 200])
  })

  it('that a page of another site sends, or that is malformed', async () => {
    const { library, post } = await open()
    expect((await library.giveMessage(post({ address: buyer.address }, { origin: 'https://evil.test' }))).status).toBe(
      401,
    )
    for (const body of [
      { message: 'hello', signature: '0x00' },
      { message: '', signature: `0x${'00'.repeat(65)}` },
    ])
      expect((await library.signIn(post(body))).status).toBe(401)
    for (const body of [{}, { message: 'x', signature: 'y' }, { address: buyer.address, more: 1 }])
      expect((await library.signIn(post(body))).status).toBe(400)
  })
})

it('a refused sign-in is logged with the id of its request', async () => {
  const { library } = await open()
  const headers = { 'x-request-id': 'r-7' }
  const asked = new Request(baseUrl, { headers })
  const sent = new Request(baseUrl, { method: 'POST', headers, body: 'no JSON' })
  for (const refused of [
    await library.json(asked),
    await library.csv(asked),
    await library.download(asked, 'r_none'),
    await library.giveMessage(sent.clone()),
    await library.signIn(sent),
  ])
    expect(await refused.json()).toMatchObject({ instance: 'urn:request:r-7' })
})

describe('a purchase in the library', () => {
  it('shows a newer version, and its amounts for accounting', async () => {
    const { buy, openWith, clock, signIn, cookieOf, withCookie, payments, written } = await open()
    const receiptId = await buy(guide)
    clock.ms += minute
    await buy(leaflet)
    const cookie = cookieOf((await signIn()).answer)
    written.text = 'the second version'
    const library = openWith([booklet, { ...guide, version: '2.0.0', changes: 'More.' }, leaflet])
    const list = async () => (await (await library.json(withCookie(cookie))).json()).purchases
    expect(await list()).toMatchObject([
      { path: '/leaflet', download: expect.any(String) },
      { version: '1.0.0', latest: { version: '2.0.0', changes: 'More.' }, download: expect.any(String) },
    ])
    const csv = await library.csv(withCookie(cookie))
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect((await csv.text()).split('\r\n')[2]).toContain(',"A test product","1.0.0","/guide","0.100000",')
    // The stored bytes of both are dropped, and neither can be made again.
    clock.ms += 8 * 24 * 60 * minute
    await payments.forget()
    const later = cookieOf((await signIn()).answer)
    const shown = await (await library.json(withCookie(later))).json()
    expect(shown.purchases.map((bought: object) => 'download' in bought)).toEqual([false, false])
    expect((await library.download(withCookie(later), receiptId)).status).toBe(410)
  })

  it('shows a newer version even if that was bought and the chain reversed the payment', async () => {
    const { buy, buyerOf, db, openWith, clock, signIn, cookieOf, withCookie, written } = await open()
    await buy(guide)
    const next = { ...guide, version: '2.0.0' }
    written.text = 'the second version'
    const answers: Response[] = []
    for (let press = 0; press < 2; press++) {
      clock.ms += minute
      answers.push(await buyerOf(next)((await signPayment({ amount: 100_000n, token: `press-${press}` })).header))
    }
    expect(answers.map(({ status }) => status)).toEqual([402, 200])
    const library = openWith([next])
    const cookie = cookieOf((await signIn()).answer)
    const news = async () => (await (await library.json(withCookie(cookie))).json()).purchases[1].latest
    expect(await news()).toBeUndefined()
    const receiptId = answers[1]?.headers.get('x-receipt-id') ?? ''
    await db.updateTable('sale').set({ reversed_at: clock.ms }).where('id', '=', receiptId).execute()
    expect(await news()).toMatchObject({ version: '2.0.0' })
  })

  it('shows the token that it was paid in and the amount, not only dollars', async () => {
    const { buy, db, library, signIn, cookieOf, withCookie } = await open()
    const [inEuros] = [await buy(leaflet), await buy(booklet)]
    await sql`update sale set asset = ${eurc.address}, units = '92000' where id = ${inEuros}`.execute(db)
    const own = withCookie(cookieOf((await signIn()).answer))
    const { purchases } = librarySchema.parse(await (await library.json(own)).json())
    const paid = { amountMicroUsd: '100000', asset: eurc.address, amountUnits: '92000' }
    expect(purchases.find(({ receiptId }) => receiptId === inEuros)).toMatchObject(paid)
    expect(purchases.filter(({ asset, amountUnits }) => asset ?? amountUnits)).toHaveLength(1)
    const [header, ...lines] = (await (await library.csv(own)).text()).trimEnd().split('\r\n')
    expect(header).toMatch(/,"asset","amountUnits"$/)
    expect(lines.map((line) => line.endsWith(`,"${eurc.address}","92000"`))).toContain(true)
    expect(lines.map((line) => line.endsWith(',"",""'))).toContain(true)
  })

  it('is on one of several pages of a long list, each of which links to the next', async () => {
    const { buy, openWith, clock, signIn, cookieOf } = await open()
    const receipts: string[] = []
    for (const offer of [guide, leaflet, booklet]) {
      receipts.unshift(await buy(offer))
      clock.ms += minute
    }
    const cookie = cookieOf((await signIn()).answer)
    const library = openWith([booklet, guide, leaflet], { mostAtOnce: 2 })
    const ask = (url: string) => new Request(url, { headers: { cookie } })
    const first = await (await library.json(ask(`${baseUrl}/api/library.json`))).json()
    expect(first).toMatchObject({ count: 2, next: `${baseUrl}/api/library.json?before=${receipts[1]}` })
    const rest = await (await library.json(ask(first.next))).json()
    expect([...first.purchases, ...rest.purchases].map((bought) => bought.receiptId)).toEqual(receipts)
    expect(rest).not.toHaveProperty('next')
    const csv = await library.csv(ask(`${baseUrl}/api/library.csv`))
    const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(csv.headers.get('link') ?? '') ?? []
    const end = await library.csv(ask(next))
    expect([(await end.text()).trimEnd().split('\r\n').length, end.headers.get('link')]).toEqual([2, null])
    expect((await library.json(ask(`${baseUrl}/api/library.json?before=r_nobody`))).status).toBe(400)
    // The HTML has the same pages, each with its own CSV file.
    const shown = await library.shelf(ask(`${baseUrl}/library`))
    expect(shown).toMatchObject({ count: 2, before: undefined, next: `${baseUrl}/library?before=${receipts[1]}` })
    const earlier = await library.shelf(ask(shown?.next ?? ''))
    expect(earlier?.purchases.map(({ receiptId }) => receiptId)).toEqual(receipts.slice(2))
    expect([earlier?.before, earlier?.next]).toEqual([receipts[1], undefined])
    // Cursors of another wallet, and invalid ones.
    for (const odd of ['r_nobody', '%00', 'r_a&before=r_b'])
      expect(await library.shelf(ask(`${baseUrl}/library?before=${odd}`))).toEqual(shown)
  })

  it('has the entity tag of its sale, and is not sent again to a client that has it', async () => {
    const { buyerOf, library, signIn, cookieOf } = await open()
    const sold = await buyerOf(booklet)((await signPayment({ amount: 100_000n, token: 'a' })).header)
    const receiptId = sold.headers.get('x-receipt-id') ?? ''
    const tag = sold.headers.get('etag') ?? ''
    const cookie = cookieOf((await signIn()).answer)
    const fetchAgain = async (ifNoneMatch?: string) =>
      library.download(
        new Request(baseUrl, { headers: { cookie, ...(ifNoneMatch && { 'if-none-match': ifNoneMatch }) } }),
        receiptId,
      )
    const whole = await fetchAgain()
    expect([whole.status, whole.headers.get('etag')]).toEqual([200, tag])
    expect((await fetchAgain('"of something else"')).status).toBe(200)
    const unchanged = await fetchAgain(`W/${tag}`)
    expect([unchanged.status, unchanged.headers.get('etag'), await unchanged.text()]).toEqual([304, tag, ''])
  })

  it('with a query cannot be made again, and says to repeat the request that has the query', async () => {
    const list = {
      ...{ ...booklet, id: 'list', path: '/list' as const },
      input: z.object({ format: z.enum(['lines']).optional() }),
    }
    const { buy, clock, gateOf, openWith, signIn, cookieOf, withCookie, payments, written } = await open()
    const paid = { 'payment-signature': (await signPayment({ amount: 100_000n, token: 'a' })).header }
    const bought = await gateOf(list)(new Request(`${baseUrl}/list?format=lines`, { headers: paid }))
    const receipts = [bought.headers.get('x-receipt-id') ?? '', await buy(booklet)]
    clock.ms += 8 * 24 * 60 * minute
    await payments.forget()
    written.text = 'without a query'
    const cookie = withCookie(cookieOf((await signIn()).answer))
    const library = openWith([list, booklet])
    const why = async (receiptId: string) => {
      const answer = await library.download(cookie, receiptId)
      return [answer.status, (await answer.json()).detail]
    }
    expect(await Promise.all(receipts.map(why))).toEqual([
      [410, expect.stringContaining('Send that request again, /list with the same query')],
      [410, expect.stringContaining('something else')],
    ])
  })

  it('without a query is made again with default input, and reported as changed if the result differs', async () => {
    const listOf = (length: string) => ({
      ...{ ...booklet, id: 'list', path: '/list' as const },
      input: z.object({ length: z.string().default(length) }),
    })
    const make: Make = async ({ length }) => textProduct(`a ${length} list, ${written.text}`)
    const { clock, openWith, signIn, cookieOf, withCookie, payments, written } = await open()
    const buy = async (query: string) => {
      const paid = { 'payment-signature': (await signPayment({ amount: 100_000n, token: 'a' })).header }
      const sell = payments.gate(listOf('short'), make)
      const bought = await sell(new Request(`${baseUrl}/list${query}`, { headers: paid }))
      return bought.headers.get('x-receipt-id') ?? ''
    }
    const receipts = [await buy(''), await buy('?length=long')]
    clock.ms += 8 * 24 * 60 * minute
    await payments.forget()
    const cookie = withCookie(cookieOf((await signIn()).answer))
    const hear = (length: string) =>
      Promise.all(
        receipts.map(async (receiptId) =>
          (await openWith([listOf(length)], { findMake: () => make }).download(cookie, receiptId)).text(),
        ),
      )
    const [query, other] = [/list with the same query/, /what is sold under its name now is something else/].map(
      (words) => expect.stringMatching(words),
    )
    expect(await hear('short')).toEqual(['a short list, the first edition', query])
    expect(await hear('long')).toEqual([other, 'a long list, the first edition'])
    written.text = 'the second edition'
    expect(await hear('short')).toEqual([other, query])
    expect(await hear('long')).toEqual([other, other])
  })

  it('can be downloaded as long as the same bytes can be made again', async () => {
    const { buy, clock, signIn, cookieOf, withCookie, payments, library } = await open()
    const receiptId = await buy(guide)
    clock.ms += 100 * 24 * 60 * minute
    await payments.forget()
    const cookie = withCookie(cookieOf((await signIn()).answer))
    expect(await (await library.download(cookie, receiptId)).text()).toBe('the first edition')
  })
})
