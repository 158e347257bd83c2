import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Problem, toProblemBody, toProblemResponse } from '../../src/core/problem.ts'
import { type ProblemKind, problemKinds } from '../../src/core/problem-kinds.ts'
import { textProduct } from '../../src/offers/product.ts'
import type { Ledger } from '../../src/payments/ledger/ledger.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { type OracleFault, pretendChain, type SettleFault, type VerifyFault } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { openTestShop } from '../support/test-shop.ts'
import type { Transport } from '../support/tool-response.ts'

const runs = figure(80, 10_000)
const kindsOf5xx = (Object.keys(problemKinds) as ProblemKind[]).filter((kind) => problemKinds[kind].status >= 500)

it('every kind of 5xx problem is retryable and names the seconds to wait', () => {
  for (const kind of kindsOf5xx) {
    const problem = new Problem(kind, { charged: false })
    const context = { baseUrl: 'https://shop.example', requestId: 'a-request' }
    expect([kind, toProblemBody(problem, context).retryable]).toEqual([kind, true])
    expect(Number(toProblemResponse(problem, context).headers.get('retry-after'))).toBeGreaterThan(0)
  }
})

const broken = fc.oneof(
  fc.constant(() => new Error('a bug')),
  fc.constantFrom(...kindsOf5xx).map((kind) => () => new Problem(kind, { charged: false })),
)
interface Story {
  readonly by: Transport
  readonly makes: readonly ((() => Error) | undefined)[]
  readonly verify: readonly (VerifyFault | undefined)[]
  readonly settle: readonly (SettleFault | undefined)[]
  readonly oracle: readonly (OracleFault | undefined)[]
  /** The numbers of the ledger calls that fail, from 0; a number beyond the last call has no effect. */
  readonly failsAt: readonly number[]
}
const story: fc.Arbitrary<Story> = fc.record({
  by: fc.constantFrom<Transport>('http', 'mcp'),
  makes: fc.array(fc.option(broken, { nil: undefined }), { maxLength: 2 }),
  verify: fc.array(fc.constantFrom<VerifyFault | undefined>('down', undefined), { maxLength: 2 }),
  settle: fc.array(fc.constantFrom<SettleFault | undefined>('down', 'lost-answer', 'pending', 'lie', undefined), {
    maxLength: 3,
  }),
  oracle: fc.array(fc.constantFrom<OracleFault | undefined>('down', 'stale', undefined), { maxLength: 4 }),
  failsAt: fc.array(fc.nat(12), { maxLength: 2 }),
})

/** Stories that run in addition to the random ones: each kind of 5xx that work can end with, over each transport. */
const toldFirst = (['http', 'mcp'] as const).flatMap((by) =>
  kindsOf5xx.map((kind): [Story] => [
    { by, makes: [() => new Problem(kind, { charged: false })], verify: [], settle: [], oracle: [], failsAt: [] },
  ]),
)
const toldRuns = Math.max(runs, toldFirst.length)

/** A ledger whose calls with these numbers fail, counted from 0. */
const failing = (numbers: readonly number[]) => {
  let calls = 0
  return (ledger: Ledger): Ledger =>
    new Proxy(ledger, {
      get: (target, name: keyof Ledger) => {
        const method = target[name] as (...given: unknown[]) => Promise<unknown>
        return async (...given: unknown[]) => {
          if (numbers.includes(calls++)) throw new Error('the disk is full')
          return method(...given)
        }
      },
    })
}

it(`whatever breaks, a 5xx says to send the same request again, and that is delivered in the end for one charge (${toldRuns} stories)`, {
  timeout: limitMs(600_000, 1_200_000),
}, async () => {
  const db = await openTestLedger()
  const seen = new Set<number>()
  await fc.assert(
    fc.asyncProperty(story, async ({ by, makes, verify, settle, oracle, failsAt }) => {
      const clock = { ms: Date.now() }
      const chain = pretendChain(clock)
      Object.assign(chain.faults, { verify: [...verify], settle: [...settle], oracle: [...oracle] })
      const left = [...makes]
      const make = async () => {
        const fault = left.shift()
        if (fault) throw fault()
        return textProduct('the product')
      }
      const shop = await openTestShop({ chain, clock, db, make, wrapLedger: failing(failsAt) })
      const { header } = await signPayment({
        ...{ amount: 100_000n, token: 'a-token', validBefore: Math.floor(clock.ms / 1000) + 3600 },
      })
      for (let ask = 0; ask < 40; ask++) {
        const answer = await shop.buyLeafletBy[by](header)
        seen.add(answer.status)
        if (answer.status === 200) {
          expect(await answer.text()).toContain('the product')
          expect(chain.calls.transfers).toBe(1)
          return
        }
        // The buyer made no mistake and the wallet is not empty, so the response has to be one to wait for: 5xx or 409.
        const problem = await answer.json()
        expect([answer.status >= 500 || answer.status === 409, problem.retryable, problem]).toEqual([
          true,
          true,
          problem,
        ])
        clock.ms += 61_000
      }
      throw new Error('it was never delivered')
    }),
    { numRuns: toldRuns, examples: toldFirst, ...seed },
  )
  const statuses = new Set(kindsOf5xx.map((kind) => problemKinds[kind].status))
  expect([...seen].filter((status) => status >= 500).sort()).toEqual([...statuses].sort())
  await db.destroy()
})
