import { beforeAll, describe, expect, it } from 'vitest'
import { pretendChain } from '../support/pretend-chain.ts'
import { encodeHeader, signPayment } from '../support/signed-payments.ts'
import { baseUrl, bundle, openTestShop, readTerms } from '../support/test-shop.ts'

const open = async () => {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  return { clock, chain, ...(await openTestShop({ chain, clock })) }
}
const leafletPrice = 100_000n
let signed: Awaited<ReturnType<typeof signPayment>>
beforeAll(async () => {
  signed = await signPayment({ amount: leafletPrice, token: 'a-token' })
})

describe('an unpaid request', () => {
  it('gets 402 with terms in header and body, and a fresh token in each', async () => {
    const { buyLeaflet } = await open()
    const [first, second] = [await buyLeaflet(), await buyLeaflet()]
    expect(first.status).toBe(402)
    expect(first.headers.get('content-type')).toBe('application/json')
    expect(first.headers.get('cache-control')).toBe('no-store')
    const body = await first.json()
    const terms = readTerms(first)
    expect(terms).toMatchObject({ x402Version: 2, accepts: [{ scheme: 'exact', amount: '100000' }] })
    expect(body).toMatchObject({ ...terms, charged: false, status: 402 })
    expect(terms.extensions.redelivery.info.token).toMatch(/^[A-Za-z0-9_-]{24}$/)
    expect(readTerms(second).extensions.redelivery.info.token).not.toBe(terms.extensions.redelivery.info.token)
  })

  it('is quoted for its body if that is valid, and otherwise told what is wrong with it', async () => {
    const { buyBundle } = await open()
    const price = async (body: unknown) => readTerms(await buyBundle(body)).accepts[0].amount
    expect(await price({ pages: ['a'] })).toBe('60000')
    expect(await price({ pages: ['a', 'b', 'c'] })).toBe('80000')
    const refused = await buyBundle({ pages: [], extra: 1 })
    expect(refused.status).toBe(402)
    expect(readTerms(refused).accepts[0].amount).toBe('60000')
    expect((await refused.json()).errors.map((error: { pointer: string }) => error.pointer)).toEqual([
      '/pages',
      '/extra',
    ])
  })

  it('is told what the maker would refuse before anything is signed, in every kind of request', async () => {
    const clock = { ms: Date.now() }
    const foresee = async () => [{ parameter: 'since', detail: 'must be yesterday or earlier' }]
    const make = Object.assign(async () => expect.unreachable(), { foresee })
    const { payments, errors } = await openTestShop({ chain: pretendChain(clock), clock })
    const { leaflet } = await import('../support/test-shop.ts')
    const answer = await payments.gate(leaflet, make)(new Request('http://x/leaflet'))
    expect([answer.status, await answer.json()]).toMatchObject([
      402,
      { charged: false, detail: expect.stringContaining('first repair the request'), errors: [{ parameter: 'since' }] },
    ])
    const call = { arguments: { a: 1 }, payment: undefined, signal: new AbortController().signal, requestId: 'a' }
    const told = await payments.toolGate(leaflet, 'tool', make)(call)
    expect(told.structuredContent).toMatchObject({ errors: [{ parameter: 'since' }] })
    const blind = Object.assign(async () => expect.unreachable(), {
      foresee: () => Promise.reject(new Error('the disk is busy')),
    })
    const priced = await payments.gate(leaflet, blind)(new Request('http://x/leaflet'))
    expect([priced.status, (await priced.json()).errors, errors]).toEqual([
      402,
      undefined,
      [expect.stringContaining('the disk is busy')],
    ])
  })

  it('gets a page in a browser, with the same status and header', async () => {
    const { gateOf } = await open()
    const { leaflet } = await import('../support/test-shop.ts')
    const page = await gateOf(leaflet)(new Request('http://x/leaflet', { headers: { accept: 'text/html,*/*;q=0.8' } }))
    expect([page.status, page.headers.get('content-type')]).toEqual([402, 'text/html; charset=utf-8'])
    expect(readTerms(page).accepts).toHaveLength(1)
    expect(await page.text()).toContain('A test product')
  })

  it('is answered for HEAD like GET, for OPTIONS with CORS rules, and for other methods with 405', async () => {
    const { gateOf } = await open()
    const { leaflet } = await import('../support/test-shop.ts')
    const ask = (method: string) =>
      gateOf(leaflet)(new Request('http://x/leaflet', { method, headers: { 'payment-signature': signed.header } }))
    const head = await ask('HEAD')
    expect([head.status, await head.text()]).toEqual([402, ''])
    const options = await ask('OPTIONS')
    expect([options.status, options.headers.get('access-control-allow-methods')]).toEqual([204, 'GET, HEAD, OPTIONS'])
    const post = await ask('POST')
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  it('from pages of other origins may be conditional and read all headers of the answer', async () => {
    const { gateOf } = await open()
    const { leaflet } = await import('../support/test-shop.ts')
    const ask = (method: string) => gateOf(leaflet)(new Request('http://x/leaflet', { method }))
    expect((await ask('OPTIONS')).headers.get('access-control-allow-headers')?.split(', ')).toContain('If-None-Match')
    for (const method of ['GET', 'POST'])
      expect((await ask(method)).headers.get('access-control-expose-headers')?.split(', ')).toEqual(
        expect.arrayContaining(['PAYMENT-REQUIRED', 'X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'X-Charged']),
      )
  })
})

describe('a request in the form that Node.js parsed', () => {
  const askBoth = async () => {
    const shop = await open()
    const { leaflet } = await import('../support/test-shop.ts')
    const gate = shop.gateOf(leaflet)
    const plainly = async (headers: Record<string, string>) => {
      const answer = await gate.plainly({ headers, gone: new AbortController().signal, caller: '192.0.2.1' })
      const { status, body } = answer
      return { status, headers: answer.headers, text: Buffer.from(body ?? []).toString() }
    }
    const asWeb = async (headers: Record<string, string>) => {
      const answer = await gate(new Request('http://x/leaflet', { headers }), '192.0.2.1')
      return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() }
    }
    return { ...shop, plainly, asWeb }
  }

  it('is sold the product once, and gets the same answer as a Fetch request', async () => {
    const { plainly, asWeb, sales } = await askBoth()
    const paying = { 'payment-signature': signed.header }
    const first = await plainly(paying)
    expect([first.status, first.text]).toEqual([200, 'made 1 {}'])
    const again = await plainly(paying)
    expect(again).toEqual(first)
    expect(again).toEqual(await asWeb(paying))
    const kept = { ...paying, 'if-none-match': first.headers['etag'] ?? '' }
    expect(await plainly(kept)).toMatchObject({ status: 304, text: '' })
    expect(await plainly(kept)).toEqual(await asWeb(kept))
    expect(await sales()).toEqual({ count: 1, total: leafletPrice })
  })

  it('is refused as a Fetch request is, whatever is wrong', async () => {
    const { plainly, asWeb, sales } = await askBoth()
    const cheap = await signPayment({ amount: 1n, token: 'a-token' })
    const named = { 'x-request-id': 'a-request' }
    const wrongs = ['', 'rubbish', `${signed.header}, ${signed.header}`, cheap.header]
    for (const header of wrongs)
      for (const accept of ['*/*', 'text/html']) {
        const headers = { ...named, accept, 'payment-signature': header }
        const [plain, web] = [await plainly(headers), await asWeb(headers)]
        expect(plain.status).toBe(402)
        const { 'payment-required': terms, ...others } = plain.headers
        expect(terms).toBeTruthy()
        expect({ status: plain.status, headers: others }).toEqual({
          status: web.status,
          headers: (({ 'payment-required': _, ...rest }) => rest)(web.headers),
        })
      }
    expect((await sales()).count).toBe(0)
  })
})

describe('a paid request', () => {
  it('is delivered once paid, with a receipt, and again with the same bytes for the same signature', async () => {
    const { buyLeaflet, chain, made, sales, payments } = await open()
    const first = await buyLeaflet(signed.header)
    expect(first.status).toBe(200)
    expect(first.headers.get('cache-control')).toBe('private, no-store')
    const paid = JSON.parse(Buffer.from(first.headers.get('payment-response') ?? '', 'base64').toString())
    expect(paid).toMatchObject({ success: true, network: 'eip155:8453', amount: '100000' })
    const receipt = await payments.receipts.find(first.headers.get('x-receipt-id') ?? '')
    expect(receipt).toMatchObject({ path: '/leaflet', amountMicroUsd: '100000', transaction: paid.transaction })
    const second = await buyLeaflet(signed.header)
    expect(await second.text()).toBe(await first.text())
    expect(second.headers.get('payment-response')).toBe(first.headers.get('payment-response'))
    expect([made.count, chain.calls.transfers, (await sales()).count]).toEqual([1, 1, 1])
  })

  it('is refused uncharged with a pointer per fault if its body is wrong, and the signature stays valid', async () => {
    const { buyBundle, chain } = await open()
    const { header } = await signPayment({ amount: 60_000n })
    const cases: [unknown, Record<string, string>, number][] = [
      ['{', {}, 400],
      ['', {}, 400],
      ['[]', {}, 400],
      ['\ufeff{}', {}, 400],
      [new Uint8Array([0x7b, 0xff, 0x7d]), {}, 400],
      [`{"pages":${'['.repeat(40)}${']'.repeat(40)}}`, {}, 400],
      [{ pages: ['a'], typo: 1 }, {}, 400],
      [{ pages: ['a'] }, { 'content-type': 'text/plain' }, 415],
      [{ pages: ['a'] }, { 'content-encoding': 'gzip' }, 415],
      [{ pages: ['a'.repeat(70_000)] }, {}, 413],
    ]
    for (const [body, headers, status] of cases) {
      const refused = await buyBundle(body, header, headers)
      const problem = await refused.json()
      expect([refused.status, refused.headers.get('content-type'), problem.charged]).toEqual([
        status,
        'application/problem+json',
        false,
      ])
      expect(problem.errors.length).toBeGreaterThan(0)
    }
    expect(chain.calls.verify).toBe(0)
    expect((await buyBundle({ pages: ['a'] }, header)).status).toBe(200)
  })

  it('with a wrong body is told truthfully what its signature has paid for already', async () => {
    const { buyBundle, buyLeaflet, chain, db } = await open()
    const { header } = await signPayment({ amount: 60_000n, token: 'mine' })
    const refuse = async (body: unknown = { pages: [] }) => {
      const refused = await buyBundle(body, header)
      const { charged, detail, errors } = await refused.json()
      expect([refused.status, errors.length]).toEqual([400, 1])
      return [charged, detail.slice(detail.indexOf(';') + 2)]
    }
    expect(await refuse()).toEqual([false, 'nothing was charged and the same signature stays valid'])
    chain.faults.settle.push('refused')
    expect((await buyBundle({ pages: ['a'] }, header)).status).toBe(402)
    expect(await refuse()).toEqual([
      false,
      expect.stringContaining('for the request that it came with before, and for'),
    ])
    chain.faults.oracle.push('down')
    expect(await refuse()).toEqual(['unknown', expect.stringContaining('cannot be looked up just now')])
    expect((await buyBundle({ pages: ['a'] }, header)).status).toBe(200)
    expect(await refuse()).toEqual([true, expect.stringMatching(/^nothing was charged for it; the .* has paid for an/)])
    expect(await refuse('{')).toEqual([true, expect.stringContaining('has paid for an earlier request')])
    const standings = [
      ['settling', 'unknown', 'whose payment is on its way'],
      ['working', 'unknown', 'is being worked on'],
      // The row is out of date: the transfer is on the chain.
      ['ready', true, 'has paid for an earlier request'],
      ['failed', true, 'has paid for an earlier request'],
    ] as const
    for (const [state, charged, words] of standings) {
      await db.updateTable('payment').set({ state, transaction_hash: null, settled_at: null }).execute()
      expect([state, ...(await refuse())]).toEqual([state, charged, expect.stringContaining(words)])
    }
    const bare = await signPayment({ amount: leafletPrice })
    for (let copy = 0; copy < 2; copy++) await buyLeaflet(bare.header)
    const proof = await signPayment({ amount: leafletPrice })
    expect((await buyLeaflet(proof.header)).status).toBe(200)
    const shown = await (await buyBundle({ pages: [] }, proof.header)).json()
    expect(shown).toMatchObject({ charged: false, detail: expect.stringContaining('proves its wallet') })
  })

  it('counts as a failed one if its body is wrong, because the chain is asked about it', async () => {
    const clock = { ms: Date.now() }
    const counted: [string, number][] = []
    const chain = pretendChain(clock)
    const countAgainst = (...against: [string, number]) => void counted.push(against)
    const { gateOf, db } = await openTestShop({ chain, clock, countAgainst })
    const { header } = await signPayment({ amount: 60_000n })
    const ask = (body: object, caller: string) =>
      gateOf(bundle)(
        new Request(`${baseUrl}/bundle`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', 'payment-signature': header },
        }),
        caller,
      )
    expect((await ask({ pages: [] }, 'a')).status).toBe(400)
    expect((await ask({ pages: ['a'] }, 'b')).status).toBe(200)
    await db.updateTable('payment').set({ state: 'failed', transaction_hash: null, settled_at: null }).execute()
    chain.moved.clear()
    expect((await ask({ pages: [] }, 'c')).status).toBe(400)
    expect(counted).toEqual([
      ['a', 1],
      ['c', 1],
    ])
  })

  it('with a wrong body is told that it stays valid when its signature replaced an expired one', async () => {
    const { buyBundle, chain, clock } = await open()
    const sign = (nonce?: `0x${string}`) =>
      signPayment({ amount: 60_000n, validBefore: Math.floor(clock.ms / 1000) + 300, ...(nonce && { nonce }) })
    const ask = async (body: unknown, header: string) => {
      const answer = await buyBundle(body, header)
      return [answer.status, answer.ok ? undefined : (await answer.json()).detail]
    }
    const first = await sign()
    chain.faults.settle.push('refused')
    await ask({ pages: ['a'] }, first.header)
    clock.ms += 301_000
    expect((await ask({ pages: ['a'] }, first.header))[0]).toBe(402)
    expect(await ask({ pages: [] }, first.header)).toEqual([400, expect.stringContaining('is not taken any more')])
    const anew = await sign(first.nonce)
    const stays = expect.stringContaining('stays valid where it takes the place of one that ran out')
    expect(await ask({ pages: [] }, anew.header)).toEqual([400, stays])
    expect(await ask({ pages: ['a'] }, anew.header)).toEqual([200, undefined])
  })

  it('with a wrong body is promised nothing while the ledger cannot be read', async () => {
    const clock = { ms: Date.now() }
    const away = () => Promise.reject(new Error('the disk is gone'))
    const { buyBundle, errors } = await openTestShop({
      chain: pretendChain(clock),
      clock,
      wrapLedger: (ledger) => ({ ...ledger, find: away }),
    })
    const refused = await buyBundle({ pages: [] }, (await signPayment({ amount: 60_000n })).header)
    expect([refused.status, await refused.json()]).toMatchObject([400, { charged: 'unknown', errors: [{}] }])
    expect(errors).toEqual([expect.stringContaining('the disk is gone')])
  })

  it('gets 402 with fresh terms for an unreadable header', async () => {
    const { buyLeaflet, chain } = await open()
    const broken = structuredClone(signed.payload)
    const variants = [
      '%%%',
      'bm90IGpzb24=',
      encodeHeader(null),
      encodeHeader({ ...signed.payload, x402Version: 3 }),
      encodeHeader({ ...broken, payload: { signature: '0x11' } }),
      encodeHeader({ ...broken, payload: { ...broken.payload, permit2Authorization: {} } }),
      `${signed.header}, ${signed.header}`,
      Buffer.from(JSON.stringify(signed.payload)).toString('base64url').replace(/[A-Z]/, '-'),
      'A'.repeat(13_000),
    ]
    for (const header of variants) {
      const answer = await buyLeaflet(header)
      expect([answer.status, readTerms(answer).error, (await answer.json()).charged]).toEqual([
        402,
        'invalid_payload',
        false,
      ])
    }
    expect(chain.calls.verify).toBe(0)
  })

  it('is told how to encode a payment if it has JSON numbers for strings, as programs in other languages write them', async () => {
    const { buyLeaflet } = await open()
    const { payload } = signed.payload
    const { validBefore } = payload.authorization
    const authorization = { ...payload.authorization, validBefore: Number(validBefore) }
    const answer = await buyLeaflet(encodeHeader({ ...signed.payload, payload: { ...payload, authorization } }))
    expect((await answer.json()).detail).toContain('numbers are decimal strings')
  })

  it('gets 402 with the reason if its terms are not ours', async () => {
    const { buyLeaflet, chain } = await open()
    const nowSeconds = Math.floor(Date.now() / 1000)
    const reasons = []
    for (const wish of [
      { amount: leafletPrice - 1n },
      { amount: leafletPrice + 1n },
      { amount: leafletPrice, payTo: '0x3333333333333333333333333333333333333333' },
      { amount: leafletPrice, validBefore: nowSeconds + 30 },
      { amount: leafletPrice, validAfter: nowSeconds + 60 },
    ]) {
      const answer = await buyLeaflet((await signPayment(wish)).header)
      reasons.push([answer.status, readTerms(answer).error])
    }
    expect(reasons.map(([status]) => status)).toEqual([402, 402, 402, 402, 402])
    expect(new Set(reasons.map(([, reason]) => reason)).size).toBe(4)
    expect(chain.calls.verify).toBe(0)
  })

  it('is not looked up on the chain if it could not pay us: to another wallet, in another token or on another network', async () => {
    const { buyLeaflet, chain } = await open()
    const other = '0x3333333333333333333333333333333333333333'
    const { payload } = await signPayment({ amount: leafletPrice, payTo: other })
    const toUs = { ...payload, accepted: signed.payload.accepted }
    const inAsset = { ...signed.payload, accepted: { ...signed.payload.accepted, asset: other } }
    const onNetwork = { ...signed.payload, accepted: { ...signed.payload.accepted, network: 'eip155:1' } }
    for (const wrong of [toUs, inAsset, onNetwork]) expect((await buyLeaflet(encodeHeader(wrong))).status).toBe(402)
    expect(chain.calls.oracle).toBe(0)
    expect((await buyLeaflet((await signPayment({ amount: leafletPrice - 1n })).header)).status).toBe(402)
    expect(chain.calls.oracle).toBe(1)
  })

  it.each([
    ['has to leave the 20 seconds of the work and 40 to settle it', 60, -1],
    ['may last an hour longer than it is asked to', 220 + 3600, 1],
  ])('%s, and not a second less or more', async (_, seconds, beyond) => {
    const { buyLeaflet, clock } = await open()
    const now = Math.floor(clock.ms / 1000)
    const statusOf = async (validBefore: number) =>
      (await buyLeaflet((await signPayment({ amount: leafletPrice, validBefore })).header)).status
    expect([await statusOf(now + seconds + beyond), await statusOf(now + seconds)]).toEqual([402, 200])
  })

  it('is judged by what was signed, not by the terms it claims to accept', async () => {
    const { buyLeaflet, chain } = await open()
    const { accepted } = signed.payload
    for (const wish of [
      { amount: 1n },
      { amount: leafletPrice + 1n },
      { amount: leafletPrice, payTo: '0x3333333333333333333333333333333333333333' },
    ]) {
      const { payload } = await signPayment(wish)
      const answer = await buyLeaflet(encodeHeader({ ...payload, accepted }))
      expect([answer.status, readTerms(answer).error]).toEqual([402, expect.stringMatching(/mismatch$/)])
    }
    expect(chain.calls.verify).toBe(0)
  })

  it('buys nothing if it claims to accept other terms than it was signed for', async () => {
    const { buyLeaflet, chain } = await open()
    const { accepted } = signed.payload
    for (const claimed of [{ amount: '1' }, { payTo: '0x3333333333333333333333333333333333333333' }]) {
      const answer = await buyLeaflet(encodeHeader({ ...signed.payload, accepted: { ...accepted, ...claimed } }))
      expect([answer.status, readTerms(answer).error]).toEqual([402, expect.stringMatching(/mismatch$/)])
    }
    expect(chain.calls.verify).toBe(0)
  })

  it('cannot be used for a second request', async () => {
    const { buyBundle, chain } = await open()
    const { header } = await signPayment({ amount: 60_000n, token: 'secret' })
    expect((await buyBundle({ pages: ['a'] }, header)).status).toBe(200)
    const other = await buyBundle({ pages: ['b'] }, header)
    expect([other.status, readTerms(other).error]).toEqual([402, 'payment_already_used'])
    const same = await buyBundle('{ "note": "none",  "pages": ["a"] }', header)
    expect(same.status).toBe(200)
    expect(chain.calls.transfers).toBe(1)
  })

  it('is delivered again to a client with the token, for seven days', async () => {
    const { buyLeaflet, clock } = await open()
    const withToken = await signPayment({ amount: leafletPrice, token: 'mine' })
    expect((await buyLeaflet(withToken.header)).status).toBe(200)
    const { extensions: _, ...onChain } = withToken.payload
    const stranger = await buyLeaflet(encodeHeader(onChain))
    expect([stranger.status, await stranger.json()]).toMatchObject([410, { charged: true }])
    clock.ms += 6 * 24 * 3600 * 1000
    expect((await buyLeaflet(withToken.header)).status).toBe(200)
  })

  it('without a token is delivered again for a new signature of the wallet within ten minutes, uncharged', async () => {
    const { buyLeaflet, clock, chain } = await open()
    const bare = await signPayment({ amount: leafletPrice })
    const bought = await (await buyLeaflet(bare.header)).text()
    const again = await buyLeaflet(bare.header)
    expect([again.status, await again.json()]).toMatchObject([403, { charged: true, retryable: false }])
    const proof = await signPayment({ amount: leafletPrice })
    for (let copy = 0; copy < 2; copy++) {
      const fetched = await buyLeaflet(proof.header)
      expect([fetched.status, await fetched.text(), chain.calls.transfers]).toEqual([200, bought, 1])
    }
    clock.ms += 11 * 60 * 1000
    expect((await buyLeaflet(bare.header)).status).toBe(410)
    const inTime = { validBefore: Math.floor(clock.ms / 1000) + 300 }
    const anew = await buyLeaflet((await signPayment({ amount: leafletPrice, ...inTime })).header)
    expect([anew.status, chain.calls.transfers]).toEqual([200, 2])
    expect(await anew.text()).not.toBe(bought)
  })

  it('without a token is delivered again four times, and then asks nobody for a proof', async () => {
    const { buyLeaflet } = await open()
    const bare = await signPayment({ amount: leafletPrice })
    expect((await buyLeaflet(bare.header)).status).toBe(200)
    for (let time = 1; time <= 4; time++) {
      expect((await buyLeaflet(bare.header)).status).toBe(403)
      expect((await buyLeaflet((await signPayment({ amount: leafletPrice })).header)).status).toBe(200)
    }
    expect((await buyLeaflet(bare.header)).status).toBe(410)
  })

  it('under one payment-identifier is delivered again for a second signature, which stays unused', async () => {
    const { buyBundle, chain } = await open()
    const identifier = 'order_0123456789abcdef'
    const [first, second] = [
      await signPayment({ amount: 60_000n, identifier }),
      await signPayment({ amount: 60_000n, identifier }),
    ]
    const bought = await buyBundle({ pages: ['a'] }, first.header)
    const again = await buyBundle({ pages: ['a'] }, second.header)
    expect([bought.status, again.status]).toEqual([200, 200])
    expect(await again.text()).toBe(await bought.text())
    const other = await buyBundle({ pages: ['b'] }, second.header)
    expect([other.status, readTerms(other).error]).toEqual([402, 'payment_identifier_already_used'])
    expect(chain.calls.transfers).toBe(1)
  })
})
