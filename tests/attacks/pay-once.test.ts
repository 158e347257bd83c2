import fc from 'fast-check'
import { expect, it } from 'vitest'
import { textProduct } from '../../src/offers/product.ts'
import { makeChainOracle } from '../../src/payments/chain/chain-oracle.ts'
import type { Facilitator } from '../../src/payments/facilitator/facilitator-client.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { type Handling, handlings, makeHostileChain, type View } from '../support/hostile-chain.ts'
import { type SignedPayment, signPayment, testPayTo } from '../support/signed-payments.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { booklet, openTestShop } from '../support/test-shop.ts'

const schedules = figure(80, 20_000)
const orders = 4

type Act =
  | { act: 'ask'; orders: readonly number[] }
  | { act: 'mine' | 'lose' | 'reconcile' | 'restart' }
  | { act: 'reorganise'; depth: number; isLost: boolean }
  | { act: 'wait'; seconds: number }
  | { act: 'see'; view: View }
  | { act: 'handle'; handling: Handling }

const acts: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('ask' as const),
      orders: fc.uniqueArray(fc.nat({ max: orders - 1 }), { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constantFrom('mine', 'lose', 'reconcile', 'restart') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('reorganise' as const),
      depth: fc.integer({ min: 1, max: 4 }),
      isLost: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('wait' as const), seconds: fc.constantFrom(20, 150, 400) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('see' as const),
      view: fc.constantFrom<View[]>('true', 'late', 'orphaned', 'away'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('handle' as const),
      handling: fc.constantFrom<Handling[]>(...handlings),
    }),
  },
)

it(`never settles a payment of a wallet while another one for the same bytes is settled or pending, and never a proof (${schedules} schedules)`, {
  timeout: limitMs(600_000, 7_200_000),
}, async () => {
  const begun = Date.now()
  const payments: SignedPayment[] = []
  for (let number = 0; number < orders; number++)
    payments.push(
      await signPayment({ amount: 100_000n, token: `token-${number}`, validBefore: Math.floor(begun / 1000) + 300 }),
    )
  const db = await openTestLedger()
  let settlements = 0
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 3, maxLength: 14 }), async (schedule) => {
      for (const table of ['wallet_proof', 'sale_total', 'sale', 'payment'] as const)
        await db.deleteFrom(table).execute()
      const clock = { ms: begun }
      const chain = makeHostileChain(clock, testPayTo)
      const oracle = makeChainOracle('http://chain.test', { transport: chain.transport })
      /** The payments that were sent to be settled although the wallet had another one or the signature was a proof. */
      const second: string[] = []
      const facilitator: Facilitator = {
        ...chain.facilitator,
        async settle(payment, required) {
          settlements++
          const others = await db
            .selectFrom('payment')
            .select('key')
            .where('key', '!=', payment.key)
            .where('state', 'in', ['settling', 'settled'])
            .execute()
          const proofs = await db.selectFrom('wallet_proof').select('key').where('key', '=', payment.key).execute()
          if (others.length + proofs.length > 0) second.push(payment.key)
          return chain.facilitator.settle(payment, required)
        },
      }
      const make = async () => textProduct('the one edition')
      const open = () => openTestShop({ chain: { facilitator, oracle }, clock, db, make })
      let shop = await open()
      const other = await open()
      const ask = (numbers: readonly number[]) =>
        Promise.all(
          numbers.map((number, at) => {
            const header = payments[number]?.header ?? ''
            return (at === 1 ? other : shop).buyerOf(booklet)(header)
          }),
        )
      const run = async (step: Act): Promise<void> => {
        switch (step.act) {
          case 'ask':
            for (const answer of await ask(step.orders)) expect([200, 402, 403, 409, 503]).toContain(answer.status)
            return
          case 'mine':
            return chain.minePool()
          case 'lose':
            return chain.dropPool()
          case 'reorganise':
            return chain.reorganise(step.depth, step.isLost)
          case 'wait':
            clock.ms += step.seconds * 1000
            return chain.pass(1)
          case 'see':
            chain.state.view = step.view
            return
          case 'handle':
            chain.state.handling = step.handling
            return
          case 'reconcile':
            await shop.payments.reconcile()
            return
          case 'restart':
            shop = await open()
            await shop.payments.reconcile()
        }
      }
      for (const step of schedule) await run(step)
      expect(second).toEqual([])
    }),
    { numRuns: schedules, ...seed },
  )
  expect(settlements).toBeGreaterThan(schedules / 4)
  await db.destroy()
})
