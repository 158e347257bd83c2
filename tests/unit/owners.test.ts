import { createSIWxMessage, encodeSIWxHeader, wrapFetchWithSIWx } from '@x402/extensions/sign-in-with-x'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { network } from '../../src/core/chain-constants.ts'
import { Problem } from '../../src/core/problem.ts'
import type { Offer } from '../../src/offers/offer.ts'
import { textProduct } from '../../src/offers/product.ts'
import { makeLedger } from '../../src/payments/ledger/ledger.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { newReceiptId } from '../../src/payments/ledger/receipts.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { type PaymentWish, signPayment } from '../support/signed-payments.ts'
import { decodeHeader } from '../support/stock-client.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { baseUrl, booklet, leaflet, openTestShop, readTerms } from '../support/test-shop.ts'

const day = 24 * 60 * 60 * 1000
const other = `0x${'5'.repeat(64)}` as const
const guide = { ...booklet, id: 'guide', version: '1.0.0' } as const

/** `settleWaitMs`: how long a purchase waits for the chain; it looks once when absent. */
async function open({ settleWaitMs = 0 } = {}) {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const written: { text: string; before?: () => Promise<unknown> } = { text: 'the first edition' }
  const db = await openTestLedger()
  const make = async () => {
    await written.before?.()
    return textProduct(written.text)
  }
  const openShop = () => openTestShop({ chain, clock, db, make, settleWaitMs })
  const shop = await openShop()
  let signed = 0
  /** Signs as a stock client does, at this moment. */
  const sign = (wish: Partial<PaymentWish> = {}) =>
    signPayment({
      amount: 100_000n,
      validBefore: Math.floor(clock.ms / 1000) + 300,
      token: `token-${++signed}`,
      ...wish,
    })
  return { ...shop, clock, chain, written, openShop, sign, buy: shop.buyerOf(booklet) }
}

const summary = async (answer: Response) => ({
  status: answer.status,
  text: await answer.text(),
  receipt: answer.headers.get('x-receipt-id'),
  charged: answer.headers.get('x-charged'),
  settled: decodeHeader(answer.headers.get('payment-response')),
})

describe('a wallet that bought the same bytes before', () => {
  it.each(['http', 'mcp'] as const)('gets them over %s for a new signature, which is never settled', async (way) => {
    const { buy, buyerOf, chain, clock, sign, payments, sales } = await open()
    const first = await summary(await buy((await sign()).header))
    expect([first.status, first.charged]).toEqual([200, null])
    const again = await sign()
    const answers = [await buyerOf(booklet, way)(again.header), await buy(again.header)]
    const [owned, once] = await Promise.all(answers.map(summary))
    expect(owned?.status).toBe(200)
    expect(owned?.text).toContain('the first edition')
    expect(once).toEqual({
      ...first,
      charged: 'false',
      settled: { ...Object(first.settled), amount: '0' },
    })
    expect(first.settled).toMatchObject({ success: true, amount: '100000', transaction: expect.stringMatching(/^0x/) })
    clock.ms += 10 * day
    await payments.reconcile()
    await payments.forget()
    expect((await buy(again.header)).status).toBe(402)
    expect([chain.calls.transfers, chain.calls.settle, (await sales()).count]).toEqual([1, 1, 1])
    expect(chain.hasMoved(again.payer, again.nonce)).toBe(false)
  })

  it('needs no money for them, and no facilitator', async () => {
    const { buy, chain, sign } = await open()
    await buy((await sign()).header)
    chain.faults.verify.push('invalid', 'down')
    expect((await buy((await sign()).header)).status).toBe(200)
    expect(chain.calls.verify).toBe(1)
  })

  it('gets them until the product changes, even when the stored bytes are long gone', async () => {
    const { buy, clock, chain, sign, payments, db } = await open()
    const first = await summary(await buy((await sign()).header))
    clock.ms += 400 * day
    expect((await payments.forget()).products).toBe(1)
    expect(await db.selectFrom('payment').select('body').execute()).toEqual([{ body: null }])
    const again = await summary(await buy((await sign()).header))
    expect([again.status, again.text, again.receipt]).toEqual([200, first.text, first.receipt])
    expect(chain.calls.transfers).toBe(1)
  })

  it('is charged once for many signatures at once, in one process or in two', async () => {
    const { buy, openShop, chain, sign, sales } = await open()
    const elsewhere = (await openShop()).buyerOf(booklet)
    const headers = await Promise.all([1, 2, 3, 4, 5, 6].map(async () => (await sign()).header))
    const statuses = await Promise.all(
      headers.map(async (header, at) => (await (at % 2 === 0 ? buy : elsewhere)(header)).status),
    )
    expect(statuses).toContain(200)
    expect(statuses.filter((status) => ![200, 409].includes(status))).toEqual([])
    for (const header of headers) expect((await buy(header)).status).toBe(200)
    expect([chain.calls.transfers, (await sales()).count]).toEqual([1, 1])
  })

  it('is not charged for a product that was left unpaid under an earlier signature', async () => {
    const { buy, chain, sign, db } = await open()
    const waiting = await sign()
    chain.faults.settle.push('refused')
    expect((await buy(waiting.header)).status).toBe(402)
    expect(await db.selectFrom('payment').select('state').execute()).toEqual([{ state: 'ready' }])
    expect((await buy((await sign()).header)).status).toBe(200)
    expect((await summary(await buy(waiting.header))).charged).toBe('false')
    expect([chain.calls.transfers, chain.hasMoved(waiting.payer, waiting.nonce)]).toEqual([1, false])
  })

  it('waits while the first purchase may be settling, and then is not charged', async () => {
    const { buy, chain, sign } = await open()
    const first = await sign()
    chain.faults.settle.push('pending-late')
    expect((await buy(first.header)).status).toBe(503)
    const second = await sign()
    expect((await buy(second.header)).status).toBe(409)
    chain.tick()
    expect((await buy(first.header)).status).toBe(200)
    expect((await buy(second.header)).status).toBe(200)
    expect(chain.calls.transfers).toBe(1)
  })

  it('gets them even if only the facilitator has reported the transfer', async () => {
    const { buy, chain, sign, events, sales } = await open({ settleWaitMs: 1000 })
    chain.watchSettle(() => void chain.faults.oracle.push('down', 'down', 'down'))
    const first = await buy((await sign()).header)
    expect([first.status, events]).toEqual([200, expect.arrayContaining(['sale.doubted'])])
    const again = await buy((await sign()).header)
    expect([again.status, await again.text()]).toEqual([200, await first.text()])
    expect([chain.calls.transfers, (await sales()).count]).toEqual([1, 1])
  })

  it.each([
    ['fails', new Error('broken'), 'work-failed', 1],
    ['says why not', new Problem('busy', { charged: false }), 'busy', 0],
  ])(
    'is not charged where the work %s, and gets them for the same signature afterwards',
    async (_, why, kind, told) => {
      const { buy, chain, sign, written, errors } = await open()
      await buy((await sign()).header)
      written.before = () => Promise.reject(why)
      const again = await sign()
      const answer = await (await buy(again.header)).json()
      expect([answer.type, answer.charged]).toEqual([expect.stringMatching(`/problems/${kind}$`), false])
      expect(errors).toHaveLength(told)
      written.before = async () => {}
      expect((await summary(await buy(again.header))).charged).toBe('false')
      expect([chain.calls.transfers, chain.hasMoved(again.payer, again.nonce)]).toEqual([1, false])
    },
  )

  it('waits for capacity to make them, and is told so if the shop stops meanwhile', async () => {
    const { buyerOf, sign, written, chain, payments } = await open()
    const buy = buyerOf({ ...booklet, concurrency: 1 })
    await buy((await sign()).header)
    const { promise, resolve } = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    written.before = () => {
      begun.resolve()
      return promise
    }
    const another = buy((await sign({ privateKey: other })).header)
    await begun.promise
    const busy = await buy((await sign()).header)
    const retryAfter = busy.headers.get('retry-after')
    expect([busy.status, retryAfter, (await busy.json()).charged]).toEqual([503, '3', false])
    resolve()
    expect((await another).status).toBe(200)
    for (const _ of [1, 2]) expect((await buy((await sign()).header)).status).toBe(200)
    written.before = () => new Promise(() => {})
    const stopped = buy((await sign()).header)
    payments.settleNoMore(1)
    const { charged, detail } = await (await stopped).json()
    expect([charged, detail]).toEqual([false, expect.stringContaining('nothing was charged')])
    expect(chain.calls.transfers).toBe(2)
  })

  it('is not told that nothing was charged for a used signature, before our node knows its transfer', async () => {
    const { buy, chain, sign } = await open()
    await buy((await sign()).header)
    chain.oracle.witness = async () => ({ is: 'unseen', cause: 'a node that lags', isUsed: true })
    const answer = await buy((await sign()).header)
    expect([answer.status, (await answer.json()).charged]).toEqual([503, 'unknown'])
  })

  it('is neither sold them nor charged while the chain does not answer', async () => {
    const { buy, chain, sign } = await open()
    await buy((await sign()).header)
    chain.faults.oracle.push('down')
    const answer = await buy((await sign()).header)
    expect([answer.status, (await answer.json()).charged]).toEqual([503, false])
    expect(chain.calls.settle).toBe(1)
  })
})

describe('nobody owns', () => {
  it('what another wallet bought', async () => {
    const { buy, chain, sign } = await open()
    await buy((await sign()).header)
    expect((await buy((await sign({ privateKey: other })).header)).status).toBe(200)
    expect(chain.calls.transfers).toBe(2)
  })

  it('what a stranger signed for in the name of the wallet', async () => {
    const { buy, chain, sign } = await open()
    await buy((await sign()).header)
    const [mine, theirs] = [await sign(), await sign({ privateKey: other })]
    const { signature } = theirs.payload.payload
    const forged = { ...mine.payload, payload: { ...mine.payload.payload, signature } }
    const answer = await buy(Buffer.from(JSON.stringify(forged)).toString('base64'))
    expect([answer.status, (await answer.json()).error]).toEqual([402, 'invalid_exact_evm_signature'])
    expect(chain.calls.verify).toBe(1)
  })

  it('a purchase that the chain reversed', async () => {
    const { buy, chain, clock, db, sign } = await open()
    const lost = await sign()
    await buy(lost.header)
    const ledger = makeLedger({
      db,
      products: makeProductStore('/nonexistent'),
      owner: 'here/1',
      now: () => clock.ms,
      newReceiptId,
    })
    const [sale] = await ledger.openSales(network, 1)
    if (!sale) throw new Error('no sale')
    const proof = await sign()
    expect((await buy(proof.header)).status).toBe(200)
    await ledger.reverseSale(sale, 'settlement_reversed_void', false)
    expect((await buy(proof.header)).status).toBe(402)
    expect((await summary(await buy((await sign()).header))).charged).toBe(null)
    expect(chain.calls.transfers).toBe(2)
    expect(chain.hasMoved(proof.payer, proof.nonce)).toBe(false)
  })

  it('the work of a hosted API: each request is done and paid again', async () => {
    const { buyerOf, chain, made, sign } = await open()
    const buy = buyerOf(leaflet)
    await buy((await sign()).header)
    expect((await summary(await buy((await sign()).header))).charged).toBe(null)
    expect([chain.calls.transfers, made.count]).toEqual([2, 2])
  })
})

describe('a product that has changed since', () => {
  it('without versions is sold as a new edition, and then both are owned', async () => {
    const { buy, chain, sign, written, sales } = await open()
    await buy((await sign()).header)
    written.text = 'the second edition'
    expect((await summary(await buy((await sign()).header))).text).toBe('the second edition')
    expect((await summary(await buy((await sign()).header))).charged).toBe('false')
    written.text = 'the first edition'
    expect((await summary(await buy((await sign()).header))).charged).toBe('false')
    expect([chain.calls.transfers, (await sales()).count]).toEqual([2, 2])
  })

  it('with a new version is not bought by the first signature: the 402 says what is owned and what is new', async () => {
    const { buyerOf, chain, clock, sign, written } = await open()
    const old = await summary(await buyerOf(guide)((await sign()).header))
    written.text = 'the second version'
    const newer = { ...guide, version: '1.1.0', changes: 'A chapter on receipts.' }
    const buy = buyerOf(newer)
    const [first, meanwhile] = [await sign(), await sign()]
    clock.ms += 1000
    const told = await Promise.all([buy(first.header), buy(meanwhile.header)])
    for (const answer of told) {
      expect([answer.status, answer.headers.get('payment-response')]).toEqual([402, null])
      const owned = {
        version: '1.0.0',
        receipt: `http://farthing.test/api/receipts/${old.receipt}.json`,
        latest: { version: '1.1.0', changes: 'A chapter on receipts.' },
      }
      expect(readTerms(answer)).toMatchObject({
        error: 'newer_version',
        extensions: { 'owned-version': { info: owned } },
      })
      expect(await answer.json()).toMatchObject({ charged: false, owned, detail: expect.stringContaining('receipts') })
    }
    clock.ms += 1000
    // A proxy may send it twice.
    expect((await buy(first.header)).status).toBe(402)
    expect(chain.calls.settle).toBe(1)
    const bought = await summary(await buy((await sign()).header))
    expect([bought.status, bought.text, bought.charged]).toEqual([200, 'the second version', null])
    for (const { header } of [first, await sign()]) expect((await summary(await buy(header))).charged).toBe('false')
    expect(chain.calls.transfers).toBe(2)
  })

  it('with a new version is bought by a second signature with the same nonce, and then not by the first', async () => {
    const { buyerOf, chain, clock, sign, written } = await open()
    await buyerOf(guide)((await sign()).header)
    written.text = 'the second version'
    const buy = buyerOf({ ...guide, version: '1.1.0' })
    const first = await sign()
    expect((await buy(first.header)).status).toBe(402)
    clock.ms += 1000
    const second = await sign({ nonce: first.nonce })
    expect((await buy(second.header)).status).toBe(200)
    expect((await buy(first.header)).status).toBe(402)
    expect(chain.calls.transfers).toBe(2)
  })
})

describe('an owner that signs in with a message (no payment)', () => {
  const buyer = privateKeyToAccount(sandboxAccounts.buyer.privateKey)
  /** The stock client of the sign-in extension, in front of the gate. */
  const signingIn = (shop: Awaited<ReturnType<typeof open>>, offer: Offer = booklet, signer = buyer) => {
    const gate = shop.gateOf(offer)
    const sent: Request[] = []
    const ask = async (input: RequestInfo | URL, init?: RequestInit) => {
      const request = new Request(input, init)
      sent.push(request)
      return gate(request)
    }
    const fetchAs = wrapFetchWithSIWx(ask, signer)
    return { sent, gate, fetchOwned: () => fetchAs(`${baseUrl}${offer.path}`) }
  }

  it('gets its product with the stock client, and pays nothing', async () => {
    const shop = await open()
    const { fetchOwned, sent, gate } = signingIn(shop)
    expect((await fetchOwned()).status).toBe(402)
    const first = await summary(await shop.buy((await shop.sign()).header))
    const again = await summary(await fetchOwned())
    expect(again).toMatchObject({ status: 200, text: first.text, receipt: first.receipt, charged: 'false' })
    expect(shop.chain.calls.settle).toBe(1)
    const shown = sent.at(-1)
    if (!shown) throw new Error('nothing was sent')
    // A message that was seen by somebody else is worthless.
    expect((await gate(shown)).status).toBe(402)
  })

  it('without a purchase causes no work, and is quoted a price if the product has changed and has no versions', async () => {
    const shop = await open()
    const { fetchOwned } = signingIn(shop)
    expect([(await fetchOwned()).status, shop.made.count]).toEqual([402, 0])
    await shop.buy((await shop.sign()).header)
    shop.written.text = 'the second edition'
    const answer = await fetchOwned()
    expect([answer.status, readTerms(answer).error]).toEqual([402, 'payment_required'])
    shop.written.before = () => Promise.reject(new Problem('busy', { charged: false }))
    expect((await fetchOwned()).status).toBe(503)
  })

  it('gets nothing for a message while the payment may still be settling', async () => {
    const shop = await open()
    const { fetchOwned } = signingIn(shop)
    const first = await shop.sign()
    shop.chain.faults.settle.push('pending-late')
    expect((await shop.buy(first.header)).status).toBe(503)
    expect((await fetchOwned()).status).toBe(402)
    shop.chain.tick()
    expect((await shop.buy(first.header)).status).toBe(200)
    expect((await fetchOwned()).status).toBe(200)
  })

  it('cannot use a message for another product, from another host or time, or of another wallet', async () => {
    const shop = await open()
    const other = { ...booklet, id: 'other', path: '/other' } as const
    await shop.buy((await shop.sign()).header)
    await shop.buyerOf(other)((await shop.sign()).header)
    const ofOther = signingIn(shop, other)
    expect((await ofOther.fetchOwned()).status).toBe(200)
    const stranger = signingIn(shop, booklet, privateKeyToAccount(`0x${'5'.repeat(64)}`))
    expect((await stranger.fetchOwned()).status).toBe(402)
    const info = async () => readTerms(await shop.buy()).extensions['sign-in-with-x'].info
    const ask = async (change: object) => {
      const wanted = { ...(await info()), chainId: 'eip155:8453', type: 'eip191' as const, ...change }
      const signature = await buyer.signMessage({ message: createSIWxMessage(wanted, buyer.address) })
      const header = encodeSIWxHeader({ ...wanted, address: buyer.address, signature })
      const headers = { 'sign-in-with-x': header }
      return (await shop.gateOf(booklet)(new Request(`${baseUrl}/booklet`, { headers }))).status
    }
    const at = (later: number) => new Date(shop.clock.ms + later).toISOString()
    expect(await ask({})).toBe(200)
    expect(await ask({ issuedAt: at(0), expirationTime: at(1000), notBefore: at(0) })).toBe(200)
    for (const change of [
      { uri: `${baseUrl}/other`, resources: [`${baseUrl}/other`] },
      { domain: 'farthing.test.evil' },
      { chainId: 'eip155:1' },
      { nonce: 'b'.repeat(36) },
      { issuedAt: at(-3_600_000) },
      { issuedAt: at(60_000) },
      { expirationTime: at(0) },
      { notBefore: at(1000) },
    ])
      expect([change, await ask(change)]).toEqual([change, 402])
    const old = await info()
    shop.clock.ms += 11 * 60_000
    expect(await ask(old)).toBe(402)
  })

  it('is told of a newer version by the 402, and then buys it with a payment', async () => {
    const shop = await open()
    await shop.buyerOf(guide)((await shop.sign()).header)
    shop.written.text = 'the second version'
    const newer = { ...guide, version: '1.1.0' }
    const told = await signingIn(shop, newer).fetchOwned()
    expect([told.status, (await told.json()).owned]).toMatchObject([
      402,
      { version: '1.0.0', latest: { version: '1.1.0' } },
    ])
    shop.clock.ms += 1000
    expect((await summary(await shop.buyerOf(newer)((await shop.sign()).header))).charged).toBe(null)
    expect(shop.chain.calls.transfers).toBe(2)
  })

  it('is not offered sign-in for products that are new work each time', async () => {
    const { buyerOf } = await open()
    expect(readTerms(await buyerOf(leaflet)()).extensions).not.toHaveProperty('sign-in-with-x')
  })
})
