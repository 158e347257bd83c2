import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { openBoughtRecords } from '../../src/buyer/bought-records.ts'
import { hasEnded } from '../../src/buyer/exposure.ts'
import { type Buyer, payFor } from '../../src/buyer/pay-for.ts'
import { openPendingPurchases } from '../../src/buyer/pending-purchases.ts'
import { toJson, toLines } from '../../src/buyer/report.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { usdcAddress } from '../../src/core/chain-constants.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { plainTerms } from '../support/hostile-shop.ts'
import { encodeHeader } from '../support/signed-payments.ts'

const sentSchema = z.object({
  payload: z.object({
    authorization: z.object({ nonce: z.string(), value: z.coerce.bigint(), validBefore: z.coerce.number() }),
  }),
})
type Taken = z.output<typeof sentSchema>['payload']['authorization'] & { sentMs: number }

const wallets = ['0x2222222222222222222222222222222222221402', `0x${'3'.repeat(40)}`]
const demand = fc.record({
  is: fc.constant('demand' as const),
  amount: fc.integer({ min: 0, max: 12 }).map((cents) => String(cents * 10_000)),
  payTo: fc.constantFrom(...wallets),
  maxTimeoutSeconds: fc.constantFrom(1, 60, 7200),
  error: fc.constantFrom('payment_required', 'payment_already_used', 'expired', 'invalid_nonce', 'value_mismatch'),
  /** How far the shop's clock is ahead of ours. */
  skewSeconds: fc.constantFrom(0, 0, -86_400, 86_400),
})
const answer = fc.oneof(
  { weight: 5, arbitrary: demand },
  fc.constantFrom(
    { is: 'plain' as const, status: 503 },
    { is: 'plain' as const, status: 409 },
    { is: 'plain' as const, status: 400 },
    { is: 'plain' as const, status: 307 },
    { is: 'plain' as const, status: 200 },
    { is: 'lost' as const },
  ),
)
const run = fc.record({
  limitCents: fc.integer({ min: 1, max: 30 }),
  /** The number of the request with which the run ends as if the process were killed; null if it is not. */
  plugAfter: fc.option(fc.integer({ min: 1, max: 4 })),
  laterSeconds: fc.constantFrom(0, 30, 7300),
  answers: fc.array(answer, { maxLength: 6 }),
})

type Run = typeof run extends fc.Arbitrary<infer Value> ? Value : never

class PlugPulled extends Error {}

/** Plays runs of the buyer against a shop that keeps every signature; returns the largest loss in micro-USD. */
async function play(runs: readonly Run[]) {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-limit-'))
  let nowMs = Date.parse('2026-11-20T12:00:00Z')
  let taken: Taken[] = []
  let widest = 0n
  for (const { limitCents, plugAfter, laterSeconds, answers } of runs) {
    nowMs += laterSeconds * 1000
    const limit = BigInt(limitCents) * 10_000n
    const known = taken.length
    let requests = 0
    const left = [...answers]
    const fetch: typeof globalThis.fetch = async (_, init) => {
      const header = new Headers(init?.headers).get('payment-signature')
      if (header !== null) {
        const { payload } = sentSchema.parse(JSON.parse(Buffer.from(header, 'base64').toString()))
        taken.push({ ...payload.authorization, sentMs: nowMs })
      }
      requests += 1
      if (requests === plugAfter) throw new PlugPulled()
      const next = left.shift() ?? { is: 'plain', status: 402 }
      if (next.is === 'lost') throw new TypeError('fetch failed')
      if (next.is === 'plain')
        return new Response(header === null && next.status === 200 ? null : 'x', {
          status: header === null && next.status === 200 ? 404 : next.status,
        })
      const { skewSeconds, error, is: _is, ...terms } = next
      const required = { x402Version: 2, error, resource: { url: '' }, accepts: [{ ...plainTerms, ...terms }] }
      const date = new Date(nowMs + skewSeconds * 1000).toUTCString()
      return new Response(null, { status: 402, headers: { date, 'payment-required': encodeHeader(required) } })
    }
    const buyer: Buyer = {
      fetch,
      now: () => nowMs,
      sleep: async (ms) => {
        if (plugAfter !== null && requests >= plugAfter) throw new PlugPulled()
        nowMs += ms
      },
      say: () => {},
      purchases: openPendingPurchases(folder),
      bought: openBoughtRecords(`${folder}-bought`),
      findSigner: async () => ({
        payer: sandboxAccounts.buyer.address,
        sign: async (_challenge, terms, { nonce, validBefore }) =>
          encodeHeader({
            payload: { authorization: { nonce, value: terms.amount, validBefore: String(validBefore) } },
          }),
      }),
      deliver: async () => ({ is: 'output' }),
    }
    const order = { method: 'GET', url: new URL('https://shop.example/thing'), body: undefined } as const
    const consent = { maxPrice: limit, asset: usdcAddress, sha256: undefined, timeoutSeconds: 30 }
    const outcome = await payFor(order, consent, buyer).catch((error: unknown) => {
      if (error instanceof PlugPulled) return undefined
      throw error
    })
    // If this run sent something new, everything that was sent so far is within the limit of this run.
    if (taken.slice(known).some(({ nonce, value }, n) => isNew({ nonce, value }, taken.slice(0, known + n))))
      expect(lossOf(taken)).toBeLessThanOrEqual(limit)
    for (const [n, { nonce, sentMs }] of taken.entries()) {
      const others = taken.slice(0, n).filter((earlier) => earlier.nonce !== nonce)
      expect(others.every((earlier) => hasEnded(earlier, sentMs))).toBe(true)
    }
    if (outcome && taken.length > 0) {
      const told = [...toLines(outcome, order), toJson(outcome, order)].join('\n')
      if (outcome.is !== 'bought') expect(told).toMatch(/at risk/)
      expect(told).not.toMatch(/nothing was (paid|charged|signed)|no money/)
    }
    widest = lossOf(taken) > widest ? lossOf(taken) : widest
    if (outcome?.is === 'bought') taken = []
  }
  return widest
}

const isNew = ({ nonce, value }: Pick<Taken, 'nonce' | 'value'>, before: readonly Taken[]): boolean =>
  !before.some((earlier) => earlier.nonce === nonce && earlier.value >= value)

/** What a shop gets, in micro-USD, that collects the signature with the highest amount under each nonce. */
function lossOf(taken: readonly Taken[]): bigint {
  const dearest = new Map<string, bigint>()
  for (const { nonce, value } of taken) if (value > (dearest.get(nonce) ?? 0n)) dearest.set(nonce, value)
  return [...dearest.values()].reduce((sum, value) => sum + value, 0n)
}

it(
  'no answers of a shop, kills, clocks and repeated runs together make a request cost more than its limit',
  async () => {
    let attacksThatGotSomething = 0
    await fc.assert(
      fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 5 }), async (runs) => {
        if ((await play(runs)) > 0n) attacksThatGotSomething += 1
      }),
      { numRuns: figure(400, 5_000), ...seed },
    )
    expect(attacksThatGotSomething).toBeGreaterThan(100)
  },
  limitMs(600_000, 900_000),
)
