import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Problem } from '../../src/core/problem.ts'
import type { Make } from '../../src/offers/make.ts'
import { textProduct } from '../../src/offers/product.ts'
import { makeChainOracle } from '../../src/payments/chain/chain-oracle.ts'
import { allTime } from '../../src/storage/ledger-schema.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { type Handling, handlings, makeHostileChain, type Step, toUse, type View } from '../support/hostile-chain.ts'
import { encodeHeader, type SignedPayment, signPayment, testPayTo } from '../support/signed-payments.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { booklet, leaflet, openTestShop } from '../support/test-shop.ts'

const schedules = figure(3000, 50_000)
const price = 100_000n
const orders = 4

type Act =
  | { act: 'buy' | 'buy as read on the chain'; order: number; token?: number }
  | { act: 'send to the chain'; paid: readonly number[]; decoys: readonly number[]; elsewhere: readonly number[] }
  | { act: 'mine' | 'lose' }
  | { act: 'reorganise'; depth: number; isLost: boolean }
  | { act: 'pass'; blocks: number }
  | { act: 'wait'; seconds: number }
  | { act: 'see'; view: View }
  | { act: 'handle'; handling: Handling }
  | { act: 'reconcile' | 'restart' | 'fail to make the next' }

const order = fc.nat({ max: orders - 1 })
const some = fc.uniqueArray(order, { maxLength: 3 })
const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant('buy' as const), order }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('buy as read on the chain' as const), order, token: order }) },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant('send to the chain' as const), paid: some, decoys: some, elsewhere: some }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom('mine' as const, 'lose' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('reorganise' as const),
      depth: fc.integer({ min: 1, max: 4 }),
      isLost: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('pass' as const), blocks: fc.constantFrom(1, 5, 33, 70) }) },
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
      handling: fc.constantFrom<Handling[]>(...handlings, 'believes every signature'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom('reconcile' as const, 'restart' as const, 'fail to make the next' as const),
    }),
  },
)

/** Schedules that have found faults. They are tried in every run. */
const known: [Act[]][] = [
  [
    [
      { act: 'buy', order: 0 },
      { act: 'send to the chain', paid: [3, 2], decoys: [], elsewhere: [] },
      { act: 'buy', order: 2 },
      // In one block with the first purchase, the logs of the second transaction have other indexes.
      { act: 'reorganise', depth: 2, isLost: false },
      { act: 'buy', order: 3 },
    ],
  ],
  [
    [
      { act: 'handle', handling: 'refuses' },
      { act: 'buy as read on the chain', order: 3 },
      // A third party sends the unpaid signature to the chain, where everybody can read it from then on.
      { act: 'send to the chain', paid: [3], decoys: [], elsewhere: [] },
      { act: 'buy as read on the chain', order: 3 },
    ],
  ],
  [
    [
      { act: 'send to the chain', paid: [1], decoys: [], elsewhere: [] },
      // The ledger does not know the payment, as after a restore, and the node of the facilitator lags behind.
      { act: 'handle', handling: 'believes every signature' },
      { act: 'buy as read on the chain', order: 1, token: 2 },
      { act: 'pass', blocks: 70 },
      { act: 'buy as read on the chain', order: 1 },
      { act: 'buy', order: 1 },
    ],
  ],
  [
    [
      // A transaction that a reorganisation took back waits in the pool, where a stranger reads the signature and asks.
      { act: 'send to the chain', paid: [3], decoys: [], elsewhere: [] },
      { act: 'handle', handling: 'refuses' },
      { act: 'reorganise', depth: 1, isLost: false },
      { act: 'buy as read on the chain', order: 3, token: 0 },
      { act: 'mine' },
      // It is mined after all, and the buyer asks at last.
      { act: 'buy', order: 3 },
    ],
  ],
  [
    [
      { act: 'send to the chain', paid: [3], decoys: [], elsewhere: [] },
      { act: 'buy', order: 3 },
      // A proof fetches a purchase that was found on the chain; the token of the proof fetches it from then on.
      { act: 'buy', order: 0 },
      { act: 'buy', order: 0 },
      { act: 'buy as read on the chain', order: 3, token: 0 },
    ],
  ],
  [
    [
      { act: 'send to the chain', paid: [3], decoys: [], elsewhere: [] },
      { act: 'buy as read on the chain', order: 3, token: 0 },
      // The same with a proof that comes with the token of another 402, which pays for something else later.
      { act: 'buy as read on the chain', order: 0, token: 1 },
      { act: 'buy', order: 1 },
      { act: 'buy as read on the chain', order: 3, token: 1 },
    ],
  ],
  [
    [
      // A purchase that only the chain knew is reversed on the chain and in the ledger, and then mined after all.
      { act: 'send to the chain', paid: [2], decoys: [], elsewhere: [] },
      { act: 'buy', order: 2 },
      { act: 'reorganise', depth: 1, isLost: false },
      { act: 'pass', blocks: 33 },
      { act: 'reconcile' },
    ],
  ],
  [
    [
      // The work for the proof of such a purchase fails, and its buyer begins anew.
      { act: 'send to the chain', paid: [3], decoys: [], elsewhere: [] },
      { act: 'fail to make the next' },
      { act: 'buy', order: 3 },
      { act: 'buy', order: 0 },
      { act: 'buy', order: 3 },
      { act: 'buy', order: 1 },
    ],
  ],
  [
    [
      // It was fetched before a reorganisation dropped it, and its buyer asks once it is mined after all.
      { act: 'send to the chain', paid: [3], decoys: [], elsewhere: [] },
      { act: 'buy', order: 3 },
      { act: 'buy', order: 0 },
      { act: 'reorganise', depth: 1, isLost: false },
      { act: 'pass', blocks: 33 },
      { act: 'reconcile' },
      { act: 'mine' },
      { act: 'buy', order: 3 },
      { act: 'buy', order: 1 },
    ],
  ],
]

/** Some schedules continue a known one, to reach states that chance seldom comes to. */
const chances = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.constantFrom(...known.map(([begun]) => begun)) },
    ),
    fc.array(acts, { minLength: 3, maxLength: 14 }),
  )
  .map(([begun, more]) => [...begun, ...more])
/** A leaflet is made anew for each purchase; a wallet owns the booklet once it has bought it. */
const offers = { leaflet, booklet }
type Name = keyof typeof offers
const names = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Name>('leaflet') },
  { weight: 1, arbitrary: fc.constant<Name>('booklet') },
)

it(`never gives out more products than there are transfers, and never takes a transfer without a product or a record, whatever the chain does (${schedules} schedules)`, {
  timeout: limitMs(1_800_000, 7_200_000),
}, async () => {
  const begun = Date.now()
  const validBefore = Math.floor(begun / 1000) + 300
  const payments: SignedPayment[] = []
  const asRead: string[] = []
  /** The payment as read on the chain, with the token of another 402, which anybody may ask for. */
  const asReadWith = (number: number, token: number): string => {
    const onChain = payments[number]?.payload
    const other = payments[token]?.payload
    if (!onChain || !other) throw new RangeError('no such order')
    return encodeHeader({ ...onChain, extensions: other.extensions })
  }
  for (let number = 0; number < orders; number++) {
    const payment = await signPayment({ amount: price, token: `token-${number}`, validBefore })
    const { extensions: _, ...onChain } = payment.payload
    payments.push(payment)
    asRead.push(encodeHeader(onChain))
  }
  const useOf = (number: number, change: { to?: string; value?: string } = {}) => {
    const payment = payments[number]
    if (!payment) throw new RangeError('no such order')
    return toUse(payment.payer, { ...payment.payload.payload.authorization, ...change })
  }
  const stranger = `0x${'3'.repeat(40)}`
  const db = await openTestLedger()

  await fc.assert(
    fc.asyncProperty(chances, names, async (schedule, name) => {
      for (const table of ['wallet_proof', 'sale_total', 'sale', 'payment'] as const)
        await db.deleteFrom(table).execute()
      const clock = { ms: begun }
      const chain = makeHostileChain(clock, testPayTo)
      const oracle = makeChainOracle('http://chain.test', { transport: chain.transport })
      let isFailing = false
      const make: Make = async () => {
        if (!isFailing) return textProduct('what was bought')
        isFailing = false
        throw new Problem('work-failed', { charged: false })
      }
      const open = async () => {
        const opened = await openTestShop({ chain: { facilitator: chain.facilitator, oracle }, clock, db, make })
        return { ...opened, buy: opened.buyerOf(offers[name]) }
      }
      let shop = await open()
      const askedBefore = new Set<string>()
      /** Orders whose token may be that of a proof: a signature that did not pay may have proved the wallet instead. */
      const proofTokens = new Set<number>()
      /** Orders whose signature somebody has seen already. */
      const shown = new Set<number>()
      let wasToldToProve = false
      const paidFor = (number: number): boolean =>
        chain.transfers().some(({ nonce, value }) => nonce === useOf(number).nonce && value === price)

      const ask = async (number: number, header: string): Promise<number> => {
        const { status } = await shop.buy(header)
        // As long as our node tells the truth, a buyer who is told that nothing was charged was not charged.
        const isBuyer = header === payments[number]?.header
        if (status === 402 && isBuyer && chain.state.view === 'true') expect(paidFor(number)).toBe(false)
        shown.add(number)
        wasToldToProve = status === 403 && chain.state.view === 'true'
        return status
      }

      const run = async (step: Act): Promise<void> => {
        const isProof = wasToldToProve && step.act === 'buy' && !shown.has(step.order)
        if (step.act !== 'handle' && step.act !== 'fail to make the next') wasToldToProve = false
        switch (step.act) {
          case 'buy':
            await ask(step.order, payments[step.order]?.header ?? '')
            // After a request for a proof, the next fresh signature is one and does not pay.
            if (isProof) expect(paidFor(step.order)).toBe(false)
            if (!paidFor(step.order)) proofTokens.add(step.order)
            return
          case 'buy as read on the chain': {
            const isPublic = paidFor(step.order)
            const { order: number, token = number } = step
            const isBare = token === number
            const header = isBare ? (asRead[number] ?? '') : asReadWith(number, token)
            // A request with a token may come from the buyer if it came before we could see that the signature is
            // public.
            if (!isPublic || chain.state.view !== 'true') askedBefore.add(header)
            const status = await ask(number, header)
            // A signature that only its buyer has proves the wallet, whichever token comes with it.
            if (!isBare && !paidFor(number)) proofTokens.add(token)
            const isStranger = isBare || !(askedBefore.has(header) || proofTokens.has(token))
            if (isPublic && isStranger && chain.state.view === 'true') expect(status).not.toBe(200)
            return
          }
          case 'send to the chain': {
            const steps: Step[] = [
              ...step.decoys.map((number): Step => ({ is: 'use', use: useOf(number, { to: stranger, value: '0' }) })),
              ...step.elsewhere.map((number): Step => ({ is: 'fake', use: useOf(number) })),
              ...step.paid.map((number): Step => ({ is: 'use', use: useOf(number) })),
            ]
            for (const number of [...step.decoys, ...step.paid]) shown.add(number)
            chain.send(steps)
            return
          }
          case 'mine':
            return chain.minePool()
          case 'lose':
            return chain.dropPool()
          case 'reorganise':
            return chain.reorganise(step.depth, step.isLost)
          case 'pass':
            return chain.pass(step.blocks)
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
          case 'fail to make the next':
            isFailing = true
            return
          case 'restart':
            shop = await open()
            await shop.payments.reconcile()
        }
      }
      for (const step of schedule) await run(step)

      /** Sends these orders again, and returns those that still have to be sent again (409 or 503). */
      const askAgain = async (numbers: Iterable<number>): Promise<number[]> => {
        const waiting: number[] = []
        for (const number of numbers)
          if ([409, 503].includes(await ask(number, payments[number]?.header ?? ''))) waiting.push(number)
        return waiting
      }

      // No more faults: everybody who asked asks again, and the chain becomes final.
      chain.state.view = 'true'
      chain.state.handling = 'mines'
      isFailing = false
      chain.minePool()
      const asked = new Set(schedule.flatMap((step) => (step.act === 'buy' ? [step.order] : [])))
      let waiting = await askAgain(asked)
      for (let look = 0; look < 6; look++) {
        clock.ms += 130_000
        chain.pass(70)
        await shop.payments.reconcile()
        // While one payment of a wallet for something it can own is pending, its other payments for that have to wait.
        if (name === 'booklet') waiting = await askAgain(waiting)
      }
      if (name === 'booklet') expect(waiting).toEqual([])

      const transfers = chain.transfers().filter(({ value }) => value === price)
      const sales = await db
        .selectFrom('sale')
        .innerJoin('payment', 'payment.key', 'sale.payment_key')
        .select([
          'payment.nonce',
          'payment.state',
          'sale.transaction_hash',
          'sale.log_index',
          'sale.finality',
          'sale.reversed_at',
        ])
        .execute()
      const standing = sales.filter(({ reversed_at }) => reversed_at === null)
      // Every sale that is not reversed is a transfer of its own, and final.
      for (const sale of standing) {
        const transfer = transfers.find(({ nonce }) => nonce === sale.nonce)
        expect([sale.state, sale.finality]).toEqual(['settled', 'final'])
        expect([transfer?.transaction, transfer?.logIndex]).toEqual([sale.transaction_hash, sale.log_index])
      }
      // Every product that was delivered and is not paid has a reversed sale.
      const givenOut = await db.selectFrom('payment').select('nonce').where('deliveries', '>', 0).execute()
      for (const { nonce } of givenOut) {
        const sale = sales.find((candidate) => candidate.nonce === nonce)
        const isPaid = transfers.some((transfer) => transfer.nonce === nonce)
        expect(isPaid || (sale !== undefined && sale.reversed_at !== null)).toBe(true)
      }
      // The totals count exactly the sales that are not reversed.
      const totals = await db.selectFrom('sale_total').select(['day', 'count', 'micros']).execute()
      for (const isAllTime of [true, false]) {
        const theirs = totals.filter(({ day }) => (day === allTime) === isAllTime)
        const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
        expect([sum(theirs.map(({ count }) => count)), sum(theirs.map(({ micros }) => micros))]).toEqual([
          standing.length,
          standing.length * Number(price),
        ])
      }
      // Every order that has paid and asked has a sale that is not reversed.
      for (const number of asked)
        if (paidFor(number)) expect(standing.map(({ nonce }) => nonce)).toContain(useOf(number).nonce)
      // This test never waits for I/O: without a turn of the event loop, what waits for one would stay in memory.
      await setImmediate()
    }),
    {
      numRuns: schedules,
      examples: known.flatMap(([told]): [Act[], Name][] => [
        [told, 'leaflet'],
        [told, 'booklet'],
      ]),
      ...seed,
    },
  )
  await db.destroy()
})
