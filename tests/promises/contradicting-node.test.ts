import { expect, it } from 'vitest'
import type { Witness } from '../../src/payments/chain/witness.ts'
import { readPayment } from '../../src/payments/wire/read-payment.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { openTestShop, readTerms } from '../support/test-shop.ts'

it.each(['void', 'expired'] as const)(
  'never says that nothing was charged when the facilitator says that it settled and our node calls the payment %s, and delivers once the node sees the transfer',
  async (is) => {
    const clock = { ms: Date.now() }
    const honest = pretendChain(clock)
    let isLying = false
    const oracle = {
      ...honest.oracle,
      witness: async (...asked: Parameters<typeof honest.oracle.witness>): Promise<Witness> =>
        isLying ? { is, asOf: 1 } : honest.oracle.witness(...asked),
    }
    const { buyLeaflet, db } = await openTestShop({ chain: { ...honest, oracle }, clock })
    honest.watchSettle(async () => {
      isLying = true
    })
    const { header } = await signPayment({ amount: 100_000n, token: 'mine' })
    const answer = await buyLeaflet(header)
    expect([answer.status, (await answer.json()).charged]).toEqual([503, 'unknown'])
    isLying = false
    expect((await buyLeaflet(header)).status).toBe(200)
    expect(honest.calls.transfers).toBe(1)
    await db.destroy()
  },
)

it.each([
  ['calls it unused', { is: 'unused', asOf: 1 }, false],
  [
    'knows that it was used but not yet in which transaction, and the facilitator does not check nonces',
    { is: 'unseen', cause: 'x', isUsed: true },
    true,
  ],
] satisfies [string, Witness, boolean][])(
  'makes nothing, and never says that nothing was charged, for a payment that was used already where our node %s',
  async (_, witness, isBlind) => {
    const clock = { ms: Date.now() }
    const honest = pretendChain(clock)
    const { header } = await signPayment({ amount: 100_000n, token: 'mine' })
    const payment = readPayment(header)
    if (!payment) throw new Error('the payment cannot be read')
    honest.broadcast(payment)
    const facilitator = isBlind
      ? { ...honest.facilitator, verify: async () => ({ is: 'valid' }) as const }
      : honest.facilitator
    const oracle = { ...honest.oracle, witness: async () => witness }
    const { buyLeaflet, db, made } = await openTestShop({ chain: { facilitator, oracle }, clock })
    const answer = await buyLeaflet(header)
    expect([answer.status, (await answer.json()).charged, made.count]).toEqual([503, 'unknown', 0])
    await db.destroy()
  },
)

it.each([
  ['paid', 403, undefined, 1],
  ['void', 402, 'invalid_exact_evm_nonce_already_used', 0],
  ['expired', 402, 'invalid_exact_evm_payload_authorization_valid_before', 0],
] as const)(
  'makes nothing for a payment that the facilitator calls valid and our node %s, and holds no lease on it',
  async (is, status, error, sales) => {
    const clock = { ms: Date.now() }
    const honest = pretendChain(clock)
    const paid = { is: 'paid', transaction: `0x${'ab'.repeat(32)}`, logIndex: 1, block: 1 } as const
    const shop = await openTestShop({
      chain: {
        facilitator: { ...honest.facilitator, verify: async () => ({ is: 'valid' }) },
        oracle: { ...honest.oracle, witness: async () => (is === 'paid' ? paid : { is, asOf: 1 }) },
      },
      clock,
    })
    const { header } = await signPayment({ amount: 100_000n })
    for (const _ of ['first', 'again']) {
      const answer = await shop.buyLeaflet(header)
      const reason: unknown = answer.status === 402 ? readTerms(answer).error : undefined
      expect([answer.status, reason]).toEqual([status, error])
    }
    expect([shop.made.count, (await shop.sales()).count, honest.calls.settle]).toEqual([0, sales, 0])
    await shop.db.destroy()
  },
)
