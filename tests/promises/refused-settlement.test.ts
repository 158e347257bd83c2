import { expect, it } from 'vitest'
import { pretendChain, type SettleFault } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { openTestShop } from '../support/test-shop.ts'

type OracleView = 'true' | 'down' | 'stale'

/** Buys once per step. A step is what the facilitator does with the settlement, and what our node shows after that. */
async function buyThrough(
  steps: readonly (readonly [SettleFault | 'unsent' | undefined, OracleView])[],
  settleWaitMs = 0,
) {
  const clock = {
    get ms() {
      return Date.now()
    },
  }
  let looks = 0
  const chain = pretendChain(clock)
  let view: OracleView = 'true'
  const oracle: typeof chain.oracle = {
    ...chain.oracle,
    async witness(expected) {
      looks += 1
      if (view === 'down') return { is: 'unseen', cause: 'down' }
      return view === 'stale' ? { is: 'unused', asOf: 1 } : chain.oracle.witness(expected)
    },
  }
  let isUnsent = false
  const facilitator: typeof chain.facilitator = {
    ...chain.facilitator,
    settle: async (...asked) => {
      const answer = await chain.facilitator.settle(...asked)
      return isUnsent ? { is: 'unsent', cause: 'nothing listens there' } : answer
    },
  }
  const { buyLeaflet, db } = await openTestShop({ chain: { facilitator, oracle }, clock, settleWaitMs })
  const { header } = await signPayment({ amount: 100_000n, token: 'mine' })
  const heard: unknown[] = []
  for (const [fault, next] of steps) {
    isUnsent = fault === 'unsent'
    chain.faults.settle = [fault === 'unsent' ? 'refused' : fault]
    chain.watchSettle(() => {
      view = next
      looks = 0
    })
    const answer = await buyLeaflet(header)
    heard.push([answer.status, answer.ok ? undefined : (await answer.json()).charged])
    view = next
  }
  await db.destroy()
  return { heard, transfers: chain.calls.transfers, looks }
}

it('says that nothing was charged when the facilitator refuses for want of money and the chain agrees', async () => {
  const { heard, transfers } = await buyThrough([['refused', 'true']])
  expect([heard, transfers]).toEqual([[[402, false]], 0])
})

it('says "unknown" when the facilitator refuses for a reason that may come after it sent the payment', async () => {
  const { heard, transfers } = await buyThrough([
    ['pending', 'true'],
    [undefined, 'true'],
  ])
  expect([heard, transfers]).toEqual([
    [
      [503, 'unknown'],
      [200, undefined],
    ],
    1,
  ])
})

it('says "unknown" when the facilitator refuses and our node does not answer', async () => {
  const { heard } = await buyThrough([['refused', 'down']])
  expect(heard).toEqual([[503, 'unknown']])
})

it('says that nothing was charged when no facilitator can be reached, and only where our node says the same', async () => {
  expect((await buyThrough([['unsent', 'true']])).heard).toEqual([[503, false]])
  expect((await buyThrough([['unsent', 'down']])).heard).toEqual([[503, 'unknown']])
})

it.each([
  ['may have been sent, though no facilitator can be reached by now', 'unsent'],
  ['may have emptied the wallet and our node is behind', 'drained'],
] as const)('says "unknown" when an earlier attempt %s', async (_, fault) => {
  const { heard, transfers } = await buyThrough([
    ['lost-answer', 'stale'],
    [fault, 'stale'],
    [undefined, 'true'],
  ])
  expect([heard, transfers]).toEqual([
    [
      [503, 'unknown'],
      [503, 'unknown'],
      [200, undefined],
    ],
    1,
  ])
})

it('delivers nothing on a transfer that the facilitator claims and our node does not see, however long it looks', async () => {
  const { heard, transfers } = await buyThrough([['lie', 'true']], 400)
  expect([heard, transfers]).toEqual([[[503, 'unknown']], 0])
})

it('believes the facilitator when our node is down, after looking three times', async () => {
  const { heard, looks } = await buyThrough([[undefined, 'down']], 60_000)
  expect([heard, looks]).toEqual([[[200, undefined]], 3])
})

it.each([
  [199_999n, 402, 1],
  [200_000n, 200, 2],
])(
  'makes a second product for a wallet that holds %s only if that pays for both, while the first one is unpaid',
  async (held, status, times) => {
    const clock = { ms: Date.now() }
    const chain = pretendChain(clock)
    const oracle = { ...chain.oracle, balance: async () => held }
    const { buyLeaflet, db, made } = await openTestShop({ chain: { ...chain, oracle }, clock })
    chain.faults.settle = ['refused']
    const [first, second] = [await signPayment({ amount: 100_000n }), await signPayment({ amount: 100_000n })]
    expect((await buyLeaflet(first.header)).status).toBe(402)
    clock.ms += 1
    expect([(await buyLeaflet(second.header)).status, made.count]).toEqual([status, times])
    await db.destroy()
  },
)
