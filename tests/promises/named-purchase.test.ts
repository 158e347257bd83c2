import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeChainOracle } from '../../src/payments/chain/chain-oracle.ts'
import { readPayment } from '../../src/payments/wire/read-payment.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { type Handling, handlings, makeHostileChain } from '../support/hostile-chain.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment, testPayTo } from '../support/signed-payments.ts'
import { openTestShop, type TestShop } from '../support/test-shop.ts'

const schedules = figure(300, 20_000)

type Act =
  | { act: 'buy'; order: number }
  | { act: 'handle'; handling: Handling }
  | { act: 'mine' | 'lose' | 'reconcile' | 'restart' }

const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ act: fc.constant('buy' as const), order: fc.nat({ max: 2 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('handle' as const),
      handling: fc.constantFrom<Handling[]>(...handlings),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom('mine', 'lose', 'reconcile', 'restart') }) },
)

const identifier = 'the-name-of-this-purchase'
let chain: ReturnType<typeof pretendChain>
let shop: TestShop
const sign = () => signPayment({ amount: 100_000n, identifier, token: 'a-token' })
const buy = async (header: string): Promise<number> => (await shop.buyLeaflet(header)).status

beforeEach(async () => {
  const clock = { ms: Date.now() }
  chain = pretendChain(clock)
  shop = await openTestShop({ chain, clock })
  return () => shop.db.destroy()
})

describe('one payment-identifier is charged once', () => {
  it('when its first settlement was refused, the same signature was settled after that, and then a fresh one comes', async () => {
    chain.faults.settle.push('refused')
    const [first, fresh] = [await sign(), await sign()]
    expect([await buy(first.header), await buy(first.header), await buy(fresh.header)]).toEqual([402, 200, 200])
    expect(chain.calls.transfers).toBe(1)
  })

  it('when two signatures were refused, and both come again', async () => {
    chain.faults.settle.push('refused', 'refused')
    const [first, second] = [await sign(), await sign()]
    expect([await buy(first.header), await buy(second.header)]).toEqual([402, 402])
    expect([await buy(first.header), await buy(second.header), await buy(second.header)]).toEqual([200, 200, 200])
    expect(chain.calls.transfers).toBe(1)
  })

  it('when two signatures were refused, and both come again at once', async () => {
    chain.faults.settle.push('refused', 'refused')
    const both = [await sign(), await sign()]
    for (const { header } of both) expect(await buy(header)).toBe(402)
    const statuses = await Promise.all(both.map(({ header }) => buy(header)))
    expect(statuses.toSorted()).toSatisfy(([one, other]: number[]) => one === 200 && (other === 200 || other === 409))
    for (const { header } of both) expect(await buy(header)).toBe(200)
    expect(chain.calls.transfers).toBe(1)
  })

  it('when a third party sent the refused payment to the chain', async () => {
    chain.faults.settle.push('refused', 'preempted')
    const [first, fresh] = [await sign(), await sign()]
    expect([await buy(first.header), await buy(first.header), await buy(fresh.header)]).toEqual([402, 200, 200])
    expect(chain.calls.transfers).toBe(1)
  })

  it('but a second payment that a third party sent to the chain is recorded and delivered as well', async () => {
    chain.faults.settle.push('refused')
    const [first, second] = [await sign(), await sign()]
    expect(await buy(first.header)).toBe(402)
    expect(await buy(second.header)).toBe(200)
    const payment = readPayment(first.header)
    expect(payment && chain.broadcast(payment)).toMatch(/^0x/)
    expect(await buy(first.header)).toBe(200)
    expect([(await shop.sales()).count, chain.calls.transfers]).toEqual([2, 2])
  })

  it(`whatever the order of its signatures and the outcome of their settlements (${schedules} schedules)`, {
    timeout: limitMs(600_000, 3_600_000),
  }, async () => {
    const begun = Date.now()
    const orders = [await sign(), await sign(), await sign()]
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { minLength: 3, maxLength: 12 }), async (schedule) => {
        for (const table of ['wallet_proof', 'sale_total', 'sale', 'payment'] as const)
          await shop.db.deleteFrom(table).execute()
        const clock = { ms: begun }
        const hostile = makeHostileChain(clock, testPayTo)
        const { transport, facilitator } = hostile
        const oracle = makeChainOracle('http://chain.test', { transport })
        const open = () => openTestShop({ chain: { facilitator, oracle }, clock, db: shop.db })
        let opened = await open()
        const ask = async (order: number): Promise<number> =>
          (await opened.buyLeaflet(orders[order]?.header ?? '')).status
        for (const step of schedule)
          if (step.act === 'buy') await ask(step.order)
          else if (step.act === 'handle') hostile.state.handling = step.handling
          else if (step.act === 'mine') hostile.minePool()
          else if (step.act === 'lose') hostile.dropPool()
          else if (step.act === 'reconcile') await opened.payments.reconcile()
          else opened = await open()

        hostile.state.handling = 'mines'
        hostile.minePool()
        const asked = new Set(schedule.flatMap((step) => (step.act === 'buy' ? [step.order] : [])))
        // Asks again until every order is delivered.
        let waiting = [...asked]
        for (let round = 0; round < 4 && waiting.length > 0; round++) {
          const statuses = new Map<number, number>()
          for (const order of waiting) statuses.set(order, await ask(order))
          waiting = waiting.filter((order) => statuses.get(order) !== 200)
        }
        expect([waiting, hostile.transfers().length]).toEqual([[], asked.size > 0 ? 1 : 0])
      }),
      { numRuns: schedules, ...seed },
    )
  })
})
