import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../src/core/problem.ts'
import type { Make } from '../../src/offers/make.ts'
import { defineOffer } from '../../src/offers/offer.ts'
import type { Product } from '../../src/offers/product.ts'
import { textProduct } from '../../src/offers/product.ts'
import type { Ledger } from '../../src/payments/ledger/ledger.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { leaflet, openTestShop } from '../support/test-shop.ts'

const price = 100_000n
describe.each(['http', 'mcp'] as const)('by %s', (via) => {
  const open = async (make?: Make, wrapLedger?: (ledger: Ledger) => Ledger) => {
    const clock = { ms: Date.now() }
    const chain = pretendChain(clock)
    const more = { ...(make && { make }), ...(wrapLedger && { wrapLedger }) }
    return { chain, clock, ...(await openTestShop({ chain, clock, via, ...more })) }
  }

  describe('nothing is made', () => {
    it('for a payment that the facilitator turns away, or that nobody could check', async () => {
      const { buyLeaflet, chain, made } = await open()
      const { header } = await signPayment({ amount: price })
      chain.faults.verify.push('invalid', 'down')
      expect((await buyLeaflet(header)).status).toBe(402)
      const unchecked = await buyLeaflet(header)
      expect([unchecked.status, await unchecked.json()]).toMatchObject([503, { charged: false, retryable: true }])
      expect([made.count, chain.calls.settle]).toEqual([0, 0])
      expect((await buyLeaflet(header)).status).toBe(200)
    })

    it('for a signature that is used on the chain, where everybody can read it, so that having it proves nothing', async () => {
      const { buyLeaflet, chain, made } = await open()
      const payment = await signPayment({ amount: price })
      expect((await buyLeaflet(payment.header)).status).toBe(200)
      const elsewhere = await open()
      for (const [key, value] of chain.moved) elsewhere.chain.moved.set(key, value)
      const answer = await elsewhere.buyLeaflet(payment.header)
      expect([answer.status, await answer.json()]).toMatchObject([403, { charged: true }])
      expect([made.count, elsewhere.made.count]).toEqual([1, 0])
    })
  })

  describe('a product that cannot be made or stored is not charged, and the same signature buys it afterwards', () => {
    const made = textProduct('made')
    const failures: [string, () => Promise<Product>, number][] = [
      ['throws', () => Promise.reject(new Error('secret upstream text')), 502],
      ['gives up', () => Promise.reject(new DOMException('too slow', 'TimeoutError')), 502],
      ['refuses with a problem', () => Promise.reject(new Problem('work-failed', { charged: false })), 502],
      ['makes nothing', async () => textProduct(''), 502],
      ['makes something else', async () => textProduct('<p>made</p>', 'text/html; charset=utf-8'), 502],
      ['makes a header of two lines', async () => ({ ...made, headers: { 'X-Title': 'one\r\ntwo' } }), 502],
      ['makes a header that is no Latin', async () => ({ ...made, headers: { 'X-Title': '料金' } }), 502],
      ['makes a header without a name', async () => ({ ...made, headers: { '': 'made' } }), 502],
    ]
    it.each(failures)('when the work %s', async (_, fail, status) => {
      let isBroken = true
      const { buyLeaflet, chain } = await open(async () => (isBroken ? fail() : textProduct('made')))
      const { header } = await signPayment({ amount: price })
      const failed = await buyLeaflet(header)
      const text = await failed.text()
      expect(failed.status).toBe(status)
      expect(JSON.parse(text)).toMatchObject({ charged: false })
      expect(text).not.toContain('secret upstream text')
      expect(chain.calls.settle).toBe(0)
      isBroken = false
      expect((await buyLeaflet(header)).status).toBe(200)
      expect(chain.calls.transfers).toBe(1)
    })

    it('when the work refuses the input, which the response says', async () => {
      const errors = [{ pointer: '/pages/0', detail: 'cannot be reached' }]
      const { buyLeaflet, chain } = await open(() =>
        Promise.reject(new Problem('invalid-input', { charged: false, errors })),
      )
      const answer = await buyLeaflet((await signPayment({ amount: price })).header)
      expect([answer.status, await answer.json()]).toMatchObject([400, { charged: false, errors }])
      expect(chain.calls.settle).toBe(0)
    })

    it('but promises nothing when the work fails after another process has taken over the payment', async () => {
      const { buyLeaflet, db } = await open(async () => {
        await db.updateTable('payment').set({ fence: 2, owner: 'elsewhere/2' }).execute()
        throw new Error('broken')
      })
      const answer = await buyLeaflet((await signPayment({ amount: price })).header)
      expect([answer.status, await answer.json()]).toMatchObject([409, { charged: 'unknown' }])
    })

    it('when the work outlives its deadline', async () => {
      const clock = { ms: Date.now() }
      const chain = pretendChain(clock)
      let isSlow = true
      // The work ignores its abort signal as well.
      const make: Make = () => (isSlow ? new Promise(() => {}) : Promise.resolve(textProduct('made')))
      const shop = await openTestShop({ chain, clock, via, make })
      const quick = defineOffer({ ...leaflet, id: 'quick', workSeconds: 1 })
      const buy = shop.buyerOf(quick)
      const { header } = await signPayment({ amount: price })
      const ask = () => buy(header)
      expect((await ask()).status).toBe(502)
      isSlow = false
      expect((await ask()).status).toBe(200)
    })

    it.each(['claim', 'keepForSettlement'] as const)('when the disk is full at %s', async (name) => {
      let isFull = true
      const { buyLeaflet, chain } = await open(undefined, (ledger) => ({
        ...ledger,
        [name]: async (...given: never[]) => {
          if (isFull) throw new Error('SQLITE_FULL: database or disk is full')
          return (ledger[name] as (...args: never[]) => unknown)(...given)
        },
      }))
      const { header } = await signPayment({ amount: price })
      const failed = await buyLeaflet(header)
      expect([failed.status, await failed.json()]).toMatchObject([503, { charged: false, retryable: true }])
      expect(chain.calls.settle).toBe(0)
      isFull = false
      expect((await buyLeaflet(header)).status).toBe(200)
      expect(chain.calls.transfers).toBe(1)
    })

    it('when a large product cannot be written to its folder', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'farthing-p8-'))
      const blocked = join(folder, 'products')
      writeFileSync(blocked, 'a file where the folder should be')
      const clock = { ms: Date.now() }
      const chain = pretendChain(clock)
      const make: Make = async () => textProduct('x'.repeat(2_000_000))
      const shop = await openTestShop({ chain, clock, via, productFolder: blocked, make })
      const { header } = await signPayment({ amount: price })
      const failed = await shop.buyLeaflet(header)
      expect([failed.status, await failed.json()]).toMatchObject([503, { charged: false }])
      expect(chain.calls.settle).toBe(0)
    })

    it('except that when recording the settlement fails, the response says "unknown", and the transfer on the chain gets it delivered later', async () => {
      let isFull = true
      const { buyLeaflet, chain, sales } = await open(undefined, (ledger) => ({
        ...ledger,
        recordSale: async (...given) => {
          if (isFull) throw new Error('SQLITE_FULL: database or disk is full')
          return ledger.recordSale(...given)
        },
      }))
      const { header } = await signPayment({ amount: price, token: 'a-token-of-our-402' })
      const unknown = await buyLeaflet(header)
      expect([unknown.status, await unknown.json()]).toMatchObject([503, { charged: 'unknown', retryable: true }])
      isFull = false
      expect((await buyLeaflet(header)).status).toBe(200)
      expect([chain.calls.transfers, (await sales()).count]).toEqual([1, 1])
    })
  })

  describe('a buyer who leaves', () => {
    it('while the product is made stops the work and is not charged, and the same request buys it later', async () => {
      const gone = new AbortController()
      let stopped = false
      const { buyLeaflet, chain, made, db } = await open(async (_, signal) => {
        signal.addEventListener('abort', () => {
          stopped = true
        })
        gone.abort()
        return textProduct('made')
      })
      const { header } = await signPayment({ amount: price })
      await buyLeaflet(header, { signal: gone.signal })
      expect([stopped, chain.calls.settle, await db.selectFrom('payment').selectAll().execute()]).toEqual([true, 0, []])
      const back = await buyLeaflet(header)
      expect([back.status, made.count, chain.calls.transfers]).toEqual([200, 2, 1])
    })

    it('repeatedly is charged from the fourth time on, and fetches the product with the same request', async () => {
      const { buyLeaflet, chain, made } = await open(async () => {
        leaving.abort()
        return textProduct('made')
      })
      let leaving = new AbortController()
      const header = async () => (await signPayment({ amount: price, token: 'a-token-of-our-402' })).header
      for (let count = 0; count < 3; count++) {
        leaving = new AbortController()
        await buyLeaflet(await header(), { signal: leaving.signal })
      }
      expect(chain.calls.transfers).toBe(0)
      leaving = new AbortController()
      const fourth = await header()
      await buyLeaflet(fourth, { signal: leaving.signal })
      expect([chain.calls.transfers, made.count]).toEqual([1, 4])
      const fetched = await buyLeaflet(fourth)
      expect([fetched.status, made.count, chain.calls.transfers]).toEqual([200, 4, 1])
    })
  })

  it('an unpaid product is deleted once its authorization has expired, and another authorization with the same nonce can buy', async () => {
    const { buyLeaflet, chain, clock, payments, db } = await open()
    const { header, nonce } = await signPayment({ amount: price, validBefore: Math.floor(clock.ms / 1000) + 200 })
    chain.faults.settle.push('refused')
    expect((await buyLeaflet(header)).status).toBe(402)
    const looks = chain.calls.oracle
    expect(await payments.reconcile()).toBe(0)
    expect((await db.selectFrom('payment').select('state').execute()).map(({ state }) => state)).toEqual(['ready'])
    expect(chain.calls.oracle).toBe(looks)
    clock.ms += 201_000
    await payments.reconcile()
    const [row] = await db.selectFrom('payment').select(['state', 'body']).execute()
    expect(row).toMatchObject({ state: 'failed', body: null })
    const inTime = { validBefore: Math.floor(clock.ms / 1000) + 200 }
    const inItsPlace = await signPayment({ amount: price, nonce, ...inTime })
    expect([(await buyLeaflet(inItsPlace.header)).status, chain.calls.transfers]).toEqual([200, 1])
  })

  describe('a busy shop', () => {
    it('refuses requests beyond its concurrency limit before it claims anything for them', async () => {
      const finish: (() => void)[] = []
      const clock = { ms: Date.now() }
      const chain = pretendChain(clock)
      const make: Make = () => new Promise((resolve) => finish.push(() => resolve(textProduct('made'))))
      const shop = await openTestShop({ chain, clock, via, make })
      const ask = shop.buyerOf(defineOffer({ ...leaflet, id: 'narrow', concurrency: 1 }))
      const [first, second] = [await signPayment({ amount: price }), await signPayment({ amount: price })]
      const pending = ask(first.header)
      await expect.poll(() => finish.length).toBe(1)
      const refused = await ask(second.header)
      expect([refused.status, await refused.json()]).toMatchObject([503, { charged: false, retryable: true }])
      expect(await shop.db.selectFrom('payment').selectAll().execute()).toHaveLength(1)
      finish[0]?.()
      expect((await pending).status).toBe(200)
    })
  })
})
