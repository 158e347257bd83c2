import { describe, expect, it } from 'vitest'
import { proofWindowMs } from '../../src/payments/ledger/redelivery-proof.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { encodeHeader, signPayment } from '../support/signed-payments.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { openTestShop } from '../support/test-shop.ts'

/**
 * A shop that has asked the wallet of a purchase for a proof, with the clock this many seconds before the end of the
 * time to prove it.
 */
async function openAsked(secondsLeft: number) {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const db = await openTestLedger()
  const broken = { isBroken: false }
  let whenFound = async (): Promise<void> => {}
  const shop = await openTestShop({
    chain,
    clock,
    db,
    wrapLedger: (ledger) => ({
      ...ledger,
      async findOwed(...asked) {
        if (broken.isBroken) throw new Error('no disk')
        const owed = await ledger.findOwed(...asked)
        const then = whenFound
        whenFound = async () => {}
        await then()
        return owed
      },
    }),
  })
  /** A payment valid from now on the shop's clock, as a stock client signs it. */
  const sign = () => signPayment({ amount: 100_000n, validBefore: Math.floor(clock.ms / 1000) + 220 })
  const { header } = await sign()
  expect([(await shop.buyLeaflet(header)).status, (await shop.buyLeaflet(header)).status]).toEqual([200, 403])
  clock.ms += proofWindowMs - secondsLeft * 1000
  const onceFound = (then: typeof whenFound) => {
    whenFound = then
  }
  return { clock, chain, shop, sign, broken, onceFound, db }
}

describe('a proof that is signed in time is not charged', () => {
  it('when the chain answers only after that time', async () => {
    const { clock, chain, shop, sign, db } = await openAsked(10)
    const { header } = await sign()
    chain.faults.oracle.push('down')
    const unanswered = await shop.buyLeaflet(header)
    expect([unanswered.status, await unanswered.json()]).toMatchObject([503, { charged: false, retryable: true }])
    clock.ms += 30_000
    expect((await shop.buyLeaflet(header)).status).toBe(200)
    expect(chain.calls.transfers).toBe(1)
    await db.destroy()
  })

  it('when the chain does not answer until its signature has expired, and another is signed', async () => {
    const { clock, chain, shop, sign, db } = await openAsked(10)
    const { header } = await sign()
    chain.faults.oracle.push('down')
    expect((await shop.buyLeaflet(header)).status).toBe(503)
    clock.ms += 240_000
    expect((await shop.buyLeaflet(header)).status).toBe(402)
    expect((await shop.buyLeaflet((await sign()).header)).status).toBe(200)
    expect(chain.calls.transfers).toBe(1)
    await db.destroy()
  })

  it('when the ledger could not be read in that time, so that nothing recorded the attempt', async () => {
    const { clock, chain, shop, sign, broken, db } = await openAsked(10)
    const { header } = await sign()
    broken.isBroken = true
    expect((await shop.buyLeaflet(header)).status).toBe(503)
    broken.isBroken = false
    clock.ms += 60_000
    expect((await shop.buyLeaflet(header)).status).toBe(200)
    expect(chain.calls.transfers).toBe(1)
    await db.destroy()
  })
})

it('a signature from after the time for a proof is a payment', async () => {
  const { chain, shop, sign, db } = await openAsked(-1)
  expect((await shop.buyLeaflet((await sign()).header)).status).toBe(200)
  expect(chain.calls.transfers).toBe(2)
  await db.destroy()
})

it('a forged signature in the name of the wallet does not extend the time for a proof', async () => {
  const { clock, chain, shop, sign, db } = await openAsked(10)
  const { payload } = await sign()
  const forged = { ...payload, payload: { ...payload.payload, signature: `0x${'1'.repeat(128)}1b` } }
  expect((await shop.buyLeaflet(encodeHeader(forged))).status).toBe(402)
  clock.ms += 30_000
  expect((await shop.buyLeaflet((await sign()).header)).status).toBe(200)
  expect(chain.calls.transfers).toBe(2)
  await db.destroy()
})

it('a proof that could not be checked does not reopen a purchase that another proof has fetched meanwhile', async () => {
  const { chain, shop, sign, onceFound, db } = await openAsked(10)
  const [quick, slow, later] = [await sign(), await sign(), await sign()]
  onceFound(async () => {
    expect((await shop.buyLeaflet(quick.header)).status).toBe(200)
    chain.faults.oracle.push('down')
  })
  expect((await shop.buyLeaflet(slow.header)).status).toBe(503)
  expect(chain.calls.transfers).toBe(1)
  expect((await shop.buyLeaflet(later.header)).status).toBe(200)
  expect(chain.calls.transfers).toBe(2)
  await db.destroy()
})

it('simultaneous copies of one request are one delivery: a client that lost all their responses can still prove its wallet', async () => {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const shop = await openTestShop({ chain, clock })
  const sign = () => signPayment({ amount: 100_000n, validBefore: Math.floor(clock.ms / 1000) + 220 })
  const { header } = await sign()
  const copies = await Promise.all(Array.from({ length: 8 }, () => shop.buyLeaflet(header)))
  expect(copies.map(({ status }) => status)).toEqual(copies.map(() => 200))
  expect((await shop.buyLeaflet(header)).status).toBe(403)
  expect((await shop.buyLeaflet((await sign()).header)).status).toBe(200)
  expect(chain.calls.transfers).toBe(1)
})
