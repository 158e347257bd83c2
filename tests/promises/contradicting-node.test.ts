import { expect, it } from 'vitest'
import type { Witness } from '../../src/payments/chain/chain-oracle.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { openTestShop } from '../support/test-shop.ts'

it.each(['void', 'expired'] as const)(
  'never says that nothing was charged where the facilitator says that it was and our node calls it %s, and delivers once the node sees it',
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
