import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Problem } from '../../src/core/problem.ts'
import type { Make } from '../../src/offers/make.ts'
import { textProduct } from '../../src/offers/product.ts'
import { makeChainOracle } from '../../src/payments/chain/chain-oracle.ts'
import { proofWindowMs } from '../../src/payments/ledger/redelivery-proof.ts'
import { makeHostileChain, toUse } from '../support/hostile-chain.ts'
import { signPayment, testPayTo } from '../support/signed-payments.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { booklet, leaflet, openTestShop, readTerms } from '../support/test-shop.ts'

const failsOnce =
  (made: { count: number }): Make =>
  async () => {
    made.count++
    if (made.count === 1) throw new Problem('work-failed', { charged: false })
    return textProduct('a leaflet')
  }

const sign = (token: string) => signPayment({ amount: 100_000n, token })

/** A shop whose ledger does not know a payment that the chain shows, as after a restore. */
async function openForgetful(make?: Make, amount = 100_000n) {
  const clock = { ms: Date.now() }
  const chain = makeHostileChain(clock, testPayTo)
  const { transport, facilitator } = chain
  const oracle = makeChainOracle('http://chain.test', { transport })
  const db = await openTestLedger()
  const shop = await openTestShop({ chain: { facilitator, oracle }, clock, db, ...(make && { make }) })
  const { payer, payload, header } = await signPayment({ amount, token: 'the-token-of-what-was-paid' })
  chain.send([{ is: 'use', use: toUse(payer, payload.payload.authorization) }])
  return { chain, shop, header, db }
}

/**
 * The same shop after its buyer asked, which wrote the payment back to the ledger; `detail` is what the response said.
 */
async function openRecovered(make?: Make) {
  const opened = await openForgetful(make)
  const refused = await opened.shop.buyLeaflet(opened.header)
  expect(refused.status).toBe(403)
  return { ...opened, detail: z.object({ detail: z.string() }).parse(await refused.json()).detail }
}

/**
 * The same shop after a reorganisation dropped the payment and the ledger reversed its sale; `before` runs before that.
 */
async function openReversed({ make, before }: { make?: Make; before?: (buy: Buy) => Promise<void> } = {}) {
  const { chain, shop, header, db } = await openRecovered(make)
  await before?.(shop.buyLeaflet)
  chain.reorganise(1, false)
  chain.pass(33)
  await shop.payments.reconcile()
  const standing = () => db.selectFrom('sale').select('log_index').where('reversed_at', 'is', null).execute()
  expect(await standing()).toEqual([])
  return { chain, shop, header, standing, db }
}

type Buy = (header: string) => Promise<Response>

describe('a payment that only the chain knew', () => {
  it('is recorded again when a reorganisation dropped it, it is mined after all and its buyer asks', async () => {
    const { chain, shop, header, standing, db } = await openReversed()
    const refused = await shop.buyLeaflet(header)
    expect([refused.status, (await refused.json()).charged]).toEqual([402, false])
    chain.minePool()
    const known = await shop.buyLeaflet(header)
    expect([known.status, (await known.json()).charged]).toEqual([403, true])
    expect(await standing()).toEqual([{ log_index: 1 }])
    const proof = await sign('the-token-of-a-fresh-signature')
    expect((await shop.buyLeaflet(proof.header)).status).toBe(200)
    expect(chain.transfers()).toHaveLength(1)
    await db.destroy()
  })

  it('is fetched once more by a fresh signature when it was fetched before a reorganisation dropped it', async () => {
    const [before, after] = [await sign('before'), await sign('after')]
    const { chain, shop, header, db } = await openReversed({
      async before(buy) {
        expect((await buy(before.header)).status).toBe(200)
      },
    })
    chain.minePool()
    expect((await shop.buyLeaflet(header)).status).toBe(403)
    expect((await shop.buyLeaflet(after.header)).status).toBe(200)
    expect(chain.transfers()).toHaveLength(1)
    await db.destroy()
  })

  it('delivers nothing, once a reorganisation dropped it, to the signature that proved its wallet before', async () => {
    const made = { count: 0 }
    const proof = await sign('the-token-of-a-fresh-signature')
    const { chain, shop, db } = await openReversed({
      make: failsOnce(made),
      async before(buy) {
        const failed = await buy(proof.header)
        expect([failed.status, (await failed.json()).charged]).toEqual([502, true])
      },
    })
    const answer = await shop.buyLeaflet(proof.header)
    expect([answer.status, (await answer.json()).charged, made.count]).toEqual([402, false, 1])
    expect(chain.transfers()).toEqual([])
    await db.destroy()
  })

  it('has a receipt with the digest of what was made for it', async () => {
    const { shop, db } = await openRecovered()
    const answer = await shop.buyLeaflet((await sign('a-proof')).header)
    const digest = createHash('sha256')
      .update(await answer.bytes())
      .digest('hex')
    const receipt = await shop.payments.receipts.find(answer.headers.get('x-receipt-id') ?? '')
    expect([answer.status, receipt?.sha256]).toEqual([200, digest])
    await db.destroy()
  })

  it('is delivered to a second fresh signature when nothing could be made for the first one, and only once', async () => {
    const made = { count: 0 }
    const { chain, shop, header, db } = await openRecovered(failsOnce(made))
    const [first, second, third] = [await sign('first'), await sign('second'), await sign('third')]
    const statuses: number[] = []
    for (const each of [first.header, header, second.header, second.header, first.header, third.header])
      statuses.push((await shop.buyLeaflet(each)).status)
    expect(statuses).toEqual([502, 403, 200, 200, 200, 200])
    // The third signature is a new purchase, because the recovered payment has been delivered.
    expect([chain.transfers().length, made.count]).toEqual([2, 3])
    await db.destroy()
  })

  it('is delivered to its proof only for the request that it bought, and to no other signature with the same nonce', async () => {
    const { chain, shop, db } = await openRecovered()
    const proof = await sign('a-proof')
    expect((await shop.buyLeaflet(proof.header)).status).toBe(200)
    const other = await shop.buyerOf(booklet)(proof.header)
    expect([other.status, readTerms(other).error]).toEqual([402, 'payment_already_used'])
    const wish = { amount: 100_000n, token: 'a-proof', nonce: proof.nonce }
    const changed = await shop.buyLeaflet((await signPayment({ ...wish, validAfter: 1 })).header)
    expect([changed.status, readTerms(changed).error]).toEqual([402, 'payment_already_used'])
    expect((await shop.buyLeaflet(proof.header)).status).toBe(200)
    expect(chain.transfers()).toHaveLength(1)
    await db.destroy()
  })

  it('is reported as charged when its product cannot be made again because the shop is full, the work fails or the shop stops', async () => {
    const hurdle: { wait?: () => Promise<unknown> } = {}
    const { chain, shop, db } = await openRecovered(async () => {
      await hurdle.wait?.()
      return textProduct('a leaflet')
    })
    const buy = shop.buyerOf({ ...leaflet, concurrency: 1 })
    const proof = await sign('a-proof')
    const ask = async () => {
      const answer = await buy(proof.header)
      return [answer.status, answer.headers.get('retry-after'), (await answer.json()).charged]
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    hurdle.wait = () => {
      begun.resolve()
      return promise
    }
    const stranger = await signPayment({ amount: 100_000n, token: 'a-stranger', privateKey: `0x${'5'.repeat(64)}` })
    const another = buy(stranger.header)
    await begun.promise
    expect(await ask()).toEqual([503, '3', true])
    resolve()
    expect((await another).status).toBe(200)
    const before = shop.errors.length
    hurdle.wait = () => Promise.reject(new Error('broken'))
    for (const _ of [1, 2]) expect(await ask()).toEqual([502, '5', true])
    expect(shop.errors).toHaveLength(before + 2)
    hurdle.wait = () => new Promise(() => {})
    const stopped = buy(proof.header)
    shop.payments.settleNoMore(1)
    const { charged, detail } = await (await stopped).json()
    expect([charged, detail]).toEqual([true, expect.stringContaining('you have paid for this')])
    expect(chain.transfers()).toHaveLength(2)
    await db.destroy()
  })

  it('is recorded with the amount that it paid, also when a cheaper product is asked for with it', async () => {
    const { shop, header, db } = await openForgetful(undefined, 100_000n)
    expect((await shop.buyBundle({ pages: ['one'] }, header)).status).toBe(403)
    expect((await shop.sales()).total).toBe(100_000n)
    await db.destroy()
  })

  it('asks for no proof for a product that costs more than it paid, before it is recorded and after', async () => {
    const { shop, header, db } = await openForgetful(undefined, 60_000n)
    const kindOf = async (answer: Response): Promise<string> => (await answer.json()).type.split('/').at(-1)
    expect(await kindOf(await shop.buyLeaflet(header))).toBe('payment-unmatched')
    expect(await kindOf(await shop.buyBundle({ pages: ['one'] }, header))).toBe('wallet-proof-required')
    expect(await kindOf(await shop.buyLeaflet(header))).toBe('payment-unmatched')
    await db.destroy()
  })
})

it('the response names the time in which a recovered payment can be proved', async () => {
  const { detail, db } = await openRecovered()
  expect([proofWindowMs, detail]).toEqual([10 * 60_000, expect.stringContaining('Within ten minutes')])
  await db.destroy()
})
