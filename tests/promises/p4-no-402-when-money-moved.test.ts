import fc from 'fast-check'
import { expect, it } from 'vitest'
import { figure, limitMs, seed } from '../support/figures.ts'
import { type OracleFault, pretendChain, type SettleFault, type VerifyFault } from '../support/pretend-chain.ts'
import { type SignedPayment, signPayment } from '../support/signed-payments.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { openTestShop } from '../support/test-shop.ts'
import type { Transport } from '../support/tool-response.ts'

const sequences = figure(2000, 100_000)

type Fault = { at: 'verify'; is: VerifyFault } | { at: 'settle'; is: SettleFault } | { at: 'oracle'; is: OracleFault }
const faults: fc.Arbitrary<Fault[]> = fc.array(
  fc.oneof(
    fc.record({ at: fc.constant('verify' as const), is: fc.constantFrom<VerifyFault[]>('down', 'invalid') }),
    fc.record({
      at: fc.constant('settle' as const),
      is: fc.constantFrom<SettleFault[]>(
        'down',
        'drained',
        'lost-answer',
        'refused',
        'pending',
        'pending-late',
        'lie',
        'preempted',
      ),
    }),
    fc.record({ at: fc.constant('oracle' as const), is: fc.constantFrom<OracleFault[]>('down', 'stale') }),
  ),
  { maxLength: 7 },
)
/** The transports of the buyer's tries, in turn. */
const ways = fc.constantFrom<Transport[][]>(['http'], ['mcp'], ['http', 'mcp'])

it(`never responds 402 to a payment that moved or will move money, and always delivers to a buyer who repeats after 5xx and signs anew after 402 (${sequences} fault sequences)`, {
  timeout: limitMs(600_000, 7_200_000),
}, async () => {
  const pool: SignedPayment[] = []
  for (let count = 0; count < 120; count++)
    pool.push(
      await signPayment({
        amount: 100_000n,
        token: `token-${count}`,
        validBefore: Math.floor(Date.now() / 1000) + 3600,
      }),
    )
  let used = 0
  let db = await openTestLedger()
  const next = async () => {
    if (used >= pool.length) throw new Error('the pool of signed payments is empty')
    return pool[used++] as SignedPayment
  }
  await fc.assert(
    fc.asyncProperty(faults, fc.boolean(), ways, async (planned, restarts, by) => {
      if (used + 12 >= pool.length) {
        await db.destroy()
        db = await openTestLedger()
        used = 0
      }
      const clock = { ms: Date.now() }
      const chain = pretendChain(clock)
      for (const fault of planned) {
        if (fault.at === 'verify') chain.faults.verify.push(fault.is)
        if (fault.at === 'settle') chain.faults.settle.push(fault.is)
        if (fault.at === 'oracle') chain.faults.oracle.push(fault.is)
      }
      let shop = await openTestShop({ chain, clock, db })
      const before = await shop.sales()
      let payment = await next()
      const turnedAway: SignedPayment[] = []
      let status = 0
      for (let tries = 0; tries < 25 && status !== 200; tries++) {
        const answer = await shop.buyLeafletBy[by[tries % by.length] ?? 'http'](payment.header)
        status = answer.status
        if (status === 402) {
          expect(chain.hasMoved(payment.payer, payment.nonce)).toBe(false)
          turnedAway.push(payment)
          payment = await next()
        } else if (status !== 200) {
          expect([503, 409]).toContain(status)
          expect((await answer.json()).retryable).toBe(true)
        }
        chain.tick()
        if (restarts && tries % 2 === 1) {
          // A new process, a minute later, over the same ledger.
          clock.ms += 60_000
          shop = await openTestShop({ chain, clock, db })
          await shop.payments.reconcile()
        }
      }
      expect(status).toBe(200)
      for (const refused of turnedAway) expect(chain.hasMoved(refused.payer, refused.nonce)).toBe(false)
      expect(chain.calls.transfers).toBe(1)
      const after = await shop.sales()
      expect(after.count - before.count).toBe(1)
      expect(after.total - before.total).toBe(100_000n)
    }),
    { numRuns: sequences, ...seed },
  )
  await db.destroy()
})
