import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { makeChainActions } from '../support/chain-actions.ts'
import { type FaultyFacilitator, startFaultyFacilitator } from '../support/faulty-facilitator.ts'
import { type FaultyRpc, startFaultyRpc } from '../support/faulty-rpc.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { readLedger } from '../support/read-ledger.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'
import { type SignedPayment, signPayment } from '../support/signed-payments.ts'
import { decodeHeader } from '../support/stock-client.ts'

const path = '/api/x402/agent-seo/bot-catalog'
const price = 50_000n

let money: RunningMoney
let facilitator: FaultyFacilitator
let rpc: FaultyRpc
let site: RunningSite
let hands: ReturnType<typeof makeChainActions>
beforeAll(async () => {
  money = await startMoney()
  hands = makeChainActions(money.rpcUrl)
  facilitator = await startFaultyFacilitator({ upstreamUrl: money.facilitatorUrl })
  rpc = await startFaultyRpc(money.rpcUrl)
  site = await startSite({ facilitatorUrl: facilitator.url, rpcUrl: rpc.url })
})
afterAll(async () => {
  await site?.kill('SIGTERM')
  await rpc?.close()
  await facilitator?.close()
  await money?.stop()
})

const signNew = (): Promise<SignedPayment> =>
  signPayment({
    amount: price,
    payTo: sandboxPayTo,
    validBefore: Math.floor(Date.now() / 1000) + 900,
    token: 'my-token',
  })

const ask = (header?: string) =>
  site.fetch(path, header === undefined ? {} : { headers: { 'PAYMENT-SIGNATURE': header } })

async function pay({ header }: SignedPayment) {
  const { status, headers, ...response } = await ask(header).then(async (answer) => ({
    status: answer.status,
    headers: answer.headers,
    text: await answer.text(),
  }))
  const paid = decodeHeader(headers.get('payment-response')) as { success: boolean; transaction: string } | undefined
  return { status, paid, retryAfter: headers.get('retry-after'), receipt: headers.get('x-receipt-id'), ...response }
}

const rowOf = async ({ nonce }: SignedPayment) =>
  (await readLedger(site.dataDir)).rows.find((row) => row.nonce === nonce)

/** Runs a step of the test, and returns how many transfers reached the wallet meanwhile. */
async function transfersDuring(step: () => Promise<void>): Promise<number> {
  const before = (await money.transfersTo()).length
  await step()
  return (await money.transfersTo()).length - before
}

/** Pays, and does something after the facilitator has verified the payment and before the site gets the response. */
async function payWhile(payment: SignedPayment, act: () => Promise<unknown>) {
  const calls = facilitator.calls.verify
  facilitator.faults.verify.push({ slowMs: 1000 })
  const answer = pay(payment)
  while (facilitator.calls.verify === calls) await delay(5)
  // The real facilitator takes a moment to verify; its response is held back for a second.
  await delay(500)
  await act()
  return answer
}

describe('when our own node does not respond', () => {
  const away: [what: string, drops: (method: string) => boolean][] = [
    ['it drops every call', () => true],
    ['it fails to give receipts only', (method) => method === 'eth_getTransactionReceipt'],
    ['it fails to give logs and receipts', (method) => /getLogs|getTransactionReceipt/.test(method)],
  ]

  it.each(away)('(%s) a settlement that the facilitator reports is delivered', async (_, drops) => {
    const payment = await signNew()
    rpc.drops = drops
    const dropped = rpc.dropped
    const moved = await transfersDuring(async () => {
      const { status, paid } = await pay(payment)
      expect([status, paid?.success]).toEqual([200, true])
    })
    rpc.drops = () => false
    expect(rpc.dropped).toBeGreaterThan(dropped)
    expect(moved).toBe(1)
    expect(await rowOf(payment)).toMatchObject({ state: 'settled', sales: 1 })
  })

  it('a settlement whose response was lost as well is unknown until the node is back, and is not sent twice', async () => {
    const payment = await signNew()
    facilitator.faults.settle.push('drop-after')
    const moved = await transfersDuring(async () => {
      rpc.drops = () => true
      const unknown = await pay(payment)
      expect([unknown.status, unknown.paid?.success, JSON.parse(unknown.text).charged]).toEqual([503, false, 'unknown'])
      expect(Number(unknown.retryAfter)).toBeGreaterThan(0)
      const settles = facilitator.calls.settle
      for (const [, drops] of away) {
        rpc.drops = drops
        const again = await pay(payment)
        expect([again.status, JSON.parse(again.text).charged]).toEqual([503, 'unknown'])
      }
      rpc.drops = () => false
      const delivered = await pay(payment)
      expect([delivered.status, delivered.paid?.success]).toEqual([200, true])
      expect(facilitator.calls.settle).toBe(settles)
    })
    expect(moved).toBe(1)
    expect(await rowOf(payment)).toMatchObject({ state: 'settled', sales: 1 })
  })
})

describe('when somebody else sends the authorization to the chain first', () => {
  let lost: { payment: SignedPayment; answer: ReturnType<typeof pay> }
  beforeAll(async () => {
    const payment = await signNew()
    const calls = facilitator.calls.settle
    facilitator.faults.settle.push('drop-before')
    // Its request to settle is lost, and it waits for the chain while the other tests run.
    lost = { payment, answer: pay(payment) }
    while (facilitator.calls.settle === calls) await delay(5)
  })

  it('between verification and settlement, the product is delivered all the same', async () => {
    const payment = await signNew()
    let theirs = ''
    const moved = await transfersDuring(async () => {
      const { status, paid } = await payWhile(payment, async () => {
        theirs = await hands.broadcast(payment)
      })
      expect([status, paid?.success, paid?.transaction]).toEqual([200, true, theirs])
    })
    expect(moved).toBe(1)
    expect(await rowOf(payment)).toMatchObject({ state: 'settled', sales: 1 })
  })

  it('before the shop got it, it is recorded and proves nothing, because anybody can read it on the chain', async () => {
    const payment = await signNew()
    await hands.broadcast(payment)
    const { status, receipt, text } = await pay(payment)
    expect([status, receipt, JSON.parse(text).charged]).toEqual([403, null, true])
    expect(await rowOf(payment)).toMatchObject({ state: 'settled', sales: 1 })
    const proof = await signNew()
    expect([(await pay(proof)).status, await hands.isUsed(proof)]).toEqual([200, false])
  })

  it('after a settlement that was lost, the next copy of the request gets the product without another settlement', async () => {
    const { payment, answer } = lost
    expect((await answer).status).toBe(503)
    const moved = await transfersDuring(async () => {
      const theirs = await hands.broadcast(payment)
      const settles = facilitator.calls.settle
      const { status, paid } = await pay(payment)
      expect([status, paid?.transaction, facilitator.calls.settle]).toEqual([200, theirs, settles])
    })
    expect(moved).toBe(1)
  })
})

describe('an authorization that its owner cancelled', () => {
  it('buys nothing, and says so with 402 because nothing was charged', async () => {
    const payment = await signNew()
    await hands.cancel(payment)
    const { status, text } = await pay(payment)
    expect([status, JSON.parse(text).charged, await rowOf(payment)]).toEqual([402, false, undefined])
  })

  it('buys nothing either when it is cancelled between verification and settlement', async () => {
    const payment = await signNew()
    const moved = await transfersDuring(async () => {
      const { status, paid, receipt, text } = await payWhile(payment, () => hands.cancel(payment))
      expect([status, JSON.parse(text).charged, receipt, paid?.success]).toEqual([402, false, null, false])
      expect((await pay(payment)).status).toBe(402)
    })
    expect(moved).toBe(0)
    expect(await rowOf(payment)).toMatchObject({ state: 'failed', sales: 0 })
  })
})

describe('a facilitator that fails again and again', () => {
  it('is not asked for a while, in which nobody is charged and free responses and redeliveries go on', async () => {
    const earlier = await signNew()
    expect((await pay(earlier)).status).toBe(200)
    facilitator.always.verify = 'down'
    for (let count = 0; count < 5; count++) {
      const { status, text } = await pay(await signNew())
      expect([status, JSON.parse(text).charged]).toEqual([503, false])
    }
    const calls = { ...facilitator.calls }
    const payment = await signNew()
    const transfers = await transfersDuring(async () => {
      for (let count = 0; count < 3; count++) {
        const { status, text, retryAfter } = await pay(payment)
        expect([status, JSON.parse(text).charged]).toEqual([503, false])
        expect(Number(retryAfter)).toBeGreaterThan(0)
        expect(Number(retryAfter)).toBeLessThanOrEqual(10)
      }
    })
    expect([transfers, await rowOf(payment)]).toEqual([0, undefined])
    expect((await ask()).status).toBe(402)
    expect((await ask('junk')).status).toBe(402)
    expect((await pay(earlier)).status).toBe(200)
    expect(facilitator.calls).toEqual(calls)
    facilitator.always.verify = undefined
  })
})
