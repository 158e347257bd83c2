import fc from 'fast-check'
import { expect, it } from 'vitest'
import { textProduct } from '../../src/offers/product.ts'
import type { Ledger } from '../../src/payments/ledger/ledger.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { type SignedPayment, signPayment } from '../support/signed-payments.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { openTestShop } from '../support/test-shop.ts'
import type { Transport } from '../support/tool-response.ts'

const runs = figure(2000, 50_000)

/** The transport of each copy of the request. */
const ways = fc.array(fc.constantFrom<Transport[]>('http', 'mcp'), { minLength: 2, maxLength: 5 })

/** Runs every call of the ledger when the scheduler says so, as a slow disk would. */
const scheduledLedger =
  (wait: <T>(label: string, value: T) => Promise<T>) =>
  (ledger: Ledger): Ledger =>
    new Proxy(ledger, {
      get: (target, name: keyof Ledger) => {
        const method = target[name] as (...given: unknown[]) => Promise<unknown>
        return async (...given: unknown[]) => {
          await wait(String(name), 0)
          return method(...given)
        }
      },
    })

it(`moves money once and makes one product, whatever the order and the transports of the copies of a request (${runs} schedules)`, {
  timeout: limitMs(600_000, 3_600_000),
}, async () => {
  const pool: SignedPayment[] = []
  for (let count = 0; count < 40; count++)
    pool.push(
      await signPayment({
        amount: 100_000n,
        token: `token-${count}`,
        validBefore: Math.floor(Date.now() / 1000) + 3600,
      }),
    )
  let used = 0
  let db = await openTestLedger()
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), ways, fc.boolean(), async (s, copies, twoProcesses) => {
      if (used >= pool.length) {
        await db.destroy()
        db = await openTestLedger()
        used = 0
      }
      const payment = pool[used++]
      if (!payment) throw new Error('the pool of signed payments is empty')
      const wait = <T>(label: string, value: T) => s.schedule(Promise.resolve(value), label)
      const clock = { ms: Date.now() }
      const chain = pretendChain(clock, wait)
      const make = async () => {
        await wait('make', 0)
        return textProduct(`made for ${payment.nonce}`)
      }
      const open = () => openTestShop({ chain, clock, db, make, wrapLedger: scheduledLedger(wait) })
      const first = await open()
      const second = twoProcesses ? await open() : first
      const before = (await first.sales()).count
      const answers = await s.waitFor(
        Promise.all(copies.map((by, copy) => (copy % 2 === 0 ? first : second).buyLeafletBy[by](payment.header))),
      )
      const after = (await first.sales()).count
      const made = first.made.count + (twoProcesses ? second.made.count : 0)
      expect([chain.calls.transfers, after - before, made]).toEqual([1, 1, 1])
      const delivered = answers.filter((answer) => answer.status === 200)
      expect(delivered.length).toBeGreaterThan(0)
      expect(new Set(await Promise.all(delivered.map((answer) => answer.text()))).size).toBe(1)
      expect(answers.every((answer) => answer.status === 200 || answer.status === 409)).toBe(true)
      if (!twoProcesses) expect(delivered.length).toBe(copies.length)
    }),
    { numRuns: runs, ...seed },
  )
  await db.destroy()
})
