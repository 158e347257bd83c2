import { describe, expect, it } from 'vitest'
import { pretendChain, type SettleFault } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { openTestShop } from '../support/test-shop.ts'

/** A shop after one purchase whose settlement met this fault. */
async function buyOnce(fault: SettleFault) {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const shop = await openTestShop({ chain, clock })
  const { header } = await signPayment({ amount: 100_000n, token: 'a-token' })
  chain.faults.settle.push(fault)
  const { status } = await shop.buyLeaflet(header)
  return { ...shop, chain, clock, header, status }
}
const payment = { path: '/leaflet', offerId: 'leaflet', amountMicroUsd: '100000' }
const sold = {
  event: 'sale.settled',
  ...payment,
  receiptId: expect.stringMatching(/^r_/),
  transaction: expect.stringMatching(/^0x/),
}

describe('the operator is told about a payment that was not settled at once', () => {
  it('that it waits, and that it was settled when its buyer asks again', async () => {
    const { lines, chain, buyLeaflet, header, status } = await buyOnce('pending-late')
    expect([status, lines]).toEqual([
      503,
      [{ event: 'sale.pending', ...payment, reason: 'settlement_pending', tookMs: expect.any(Number) }],
    ])
    chain.tick()
    expect((await buyLeaflet(header)).status).toBe(200)
    expect((await buyLeaflet(header)).status).toBe(200)
    expect(lines.slice(1)).toEqual([sold])
  })

  it('that it was settled, when a job finds it on the chain', async () => {
    const { lines, chain, payments } = await buyOnce('pending-late')
    chain.tick()
    expect(await payments.reconcile()).toBe(0)
    await payments.reconcile()
    expect(lines.slice(1)).toEqual([sold])
  })

  it('that it failed, and why', async () => {
    const { lines, status } = await buyOnce('refused')
    expect([status, lines]).toEqual([
      402,
      [{ event: 'sale.failed', ...payment, reason: 'insufficient_funds', tookMs: expect.any(Number) }],
    ])
  })

  it('that it expired unpaid, when a job finds that it can never be settled', async () => {
    const { lines, clock, payments } = await buyOnce('pending')
    clock.ms += 10 * 60_000
    expect(await payments.reconcile()).toBe(0)
    expect(lines.slice(1)).toEqual([
      { event: 'sale.failed', ...payment, reason: 'invalid_exact_evm_payload_authorization_valid_before' },
    ])
  })
})
