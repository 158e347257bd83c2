import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type FaultyFacilitator, startFaultyFacilitator } from '../support/faulty-facilitator.ts'
import { figure, limitMs } from '../support/figures.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type Purchase, send, signForCatalog } from '../support/patient-buyer.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'
import { signPayment } from '../support/signed-payments.ts'
import { openTestShop } from '../support/test-shop.ts'

describe.each(['http', 'mcp'] as const)('a shop that is too busy, asked over %s,', (via) => {
  const now = Date.now()
  const open = async () => {
    const state = { isOverloaded: false }
    const chain = pretendChain({ ms: now })
    const isOverloaded = () => state.isOverloaded
    const shop = await openTestShop({ chain, clock: { ms: now }, isOverloaded, via })
    return { state, chain, shop }
  }
  const sign = () => signPayment({ amount: 100_000n, token: 'a-token-of-our-402' })

  it('refuses new work before it asks the facilitator, and the signature can still be used later', async () => {
    const { state, chain, shop } = await open()
    state.isOverloaded = true
    const { header } = await sign()
    const refused = await shop.buyLeaflet(header)
    expect(refused.status).toBe(503)
    if (via === 'http') expect(refused.headers.get('retry-after')).toBe('3')
    expect(await refused.json()).toMatchObject({
      type: 'http://farthing.test/problems/busy',
      charged: false,
      retryable: true,
    })
    expect([chain.calls.verify, chain.calls.settle, shop.made.count]).toEqual([0, 0, 0])
    expect(await shop.db.selectFrom('payment').selectAll().execute()).toEqual([])
    state.isOverloaded = false
    expect((await shop.buyLeaflet(header)).status).toBe(200)
  })

  it('goes on quoting prices, and delivers earlier purchases again', async () => {
    const { state, shop } = await open()
    const { header } = await sign()
    const bought = await (await shop.buyLeaflet(header)).text()
    state.isOverloaded = true
    expect((await shop.buyLeaflet()).status).toBe(402)
    const again = await shop.buyLeaflet(header)
    expect([again.status, await again.text()]).toEqual([200, bought])
  })

  it('completes a purchase whose settlement began before', async () => {
    const { state, chain, shop } = await open()
    const { header } = await sign()
    chain.faults.settle.push('pending')
    expect((await shop.buyLeaflet(header)).status).toBe(503)
    state.isOverloaded = true
    expect((await shop.buyLeaflet(header)).status).toBe(200)
    expect((await shop.sales()).count).toBe(1)
  })
})

/** How many requests for one product are worked on at the same time. */
const places = 16
const rounds = figure(1, 20)

describe('ten times more buyers than one product has places', () => {
  let money: RunningMoney
  let facilitator: FaultyFacilitator
  let site: RunningSite
  beforeAll(async () => {
    money = await startMoney()
    facilitator = await startFaultyFacilitator({ upstreamUrl: money.facilitatorUrl })
    site = await startSite({ facilitatorUrl: facilitator.url, rpcUrl: money.rpcUrl, env: { RATE_LIMITS: 'on' } })
  })
  afterAll(async () => {
    await site.kill()
    await facilitator.close()
    await money.stop()
  })

  /**
   * How many requests to the facilitator, which shares the machine with everything else here, have timed out so far.
   */
  const unanswered = (): number => site.output().split('TimeoutError').length - 1

  /** Asks for a price repeatedly until `isOver`, and counts the responses. */
  async function askPrices(isOver: () => boolean): Promise<number> {
    let count = 0
    while (!isOver()) {
      const answer = await site.fetch('/llms-full.txt')
      await answer.arrayBuffer()
      expect(answer.status).toBe(402)
      if (!isOver()) count++
      await delay(5)
    }
    return count
  }

  it('buy as much as can be made, no other payment is verified, and prices and earlier purchases are answered meanwhile', {
    timeout: limitMs(600_000, 600_000),
  }, async () => {
    const early = await signForCatalog()
    expect(await send(early, site.port)).toBe('delivered')
    for (let round = 0; round < rounds; round++) {
      const before = { ...facilitator.calls, transfers: (await money.transfersTo()).length, unanswered: unanswered() }
      const crowd: Purchase[] = []
      for (let buyer = 0; buyer < 10 * places; buyer++) crowd.push(await signForCatalog())
      facilitator.always.verify = { slowMs: 1500 }
      let isOver = false
      const prices = askPrices(() => isOver)
      const sending = Promise.all(crowd.map((purchase) => send(purchase, site.port)))
      await delay(300)
      expect(await send(early, site.port)).toBe('delivered')
      const sent = await sending
      isOver = true
      facilitator.always.verify = undefined
      const accepted = sent.filter((what) => what === 'delivered').length
      expect(accepted).toBeGreaterThanOrEqual(places)
      expect(accepted).toBeLessThan(crowd.length)
      expect(facilitator.calls.verify - before.verify).toBe(accepted + unanswered() - before.unanswered)
      expect(facilitator.calls.settle - before.settle).toBe(accepted)
      expect((await money.transfersTo()).length - before.transfers).toBe(accepted)
      for (const { history, delivered } of crowd)
        if (delivered.size === 0) expect(history).toEqual(['503, charged: false'])
      expect(await prices).toBeGreaterThan(5)
      const late = crowd.find(({ delivered }) => delivered.size === 0)
      expect(late && (await send(late, site.port))).toBe('delivered')
    }
  })

  it('are limited by address: one with many failed payments has to wait, unless the ledger knows the payment', async () => {
    const bought = await signForCatalog()
    expect(await send(bought, site.port)).toBe('delivered')
    const { header } = await signForCatalog()
    // Reads the body to its end, because a failed payment is counted only once its refusal has been sent.
    const pay = async (signature: string) => {
      const answer = await site.fetch(bought.path, { headers: { 'payment-signature': signature } })
      return { status: answer.status, policy: answer.headers.get('ratelimit-policy'), body: await answer.text() }
    }
    const from = performance.now()
    let failed = 0
    while ((await pay('bm9uc2Vuc2U=')).status === 402) failed++
    const fresh = await pay(header)
    const refilled = Math.ceil((performance.now() - from) / 1000)
    expect(failed).toBeGreaterThanOrEqual(30)
    expect(failed).toBeLessThanOrEqual(30 + refilled)
    expect([fresh.status, fresh.policy]).toEqual([429, '"failed-payments";q=30;w=30'])
    expect(z.object({ charged: z.boolean() }).parse(JSON.parse(fresh.body))).toEqual({ charged: false })
    expect(await send(bought, site.port)).toBe('delivered')
    const errors = site
      .output()
      .split('\n')
      .filter((line) => line.includes('server.error'))
    expect(errors.filter((line) => !line.includes('TimeoutError'))).toEqual([])
  })
})
