import { afterEach, expect, it, vi } from 'vitest'
import { buy, type Counter } from '../../src/checkout/buy.ts'
import { readAuthorization } from '../../src/checkout/kept-purchases.ts'
import { network, usdcAddress, usdcDomain } from '../../src/core/chain-constants.ts'
import { openCheckoutPage, toDemand } from '../support/checkout-page.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const payTo = '0x2222222222222222222222222222222222221402'
const terms = { scheme: 'exact', network, asset: usdcAddress, payTo, amount: '100000', maxTimeoutSeconds: 220 }
const required = btoa(
  JSON.stringify({ x402Version: 2, resource: { url: '/a' }, accepts: [{ ...terms, extra: usdcDomain }] }),
)

/** Seconds until a new signature expires by the shop's clock; the browser's clock is `aheadSeconds` ahead of it. */
async function signFor(aheadSeconds: number, dated: (shopMs: number) => Record<string, string>): Promise<number> {
  const shopMs = Date.now() - aheadSeconds * 1000
  const ends: number[] = []
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('localStorage', { setItem() {}, removeItem() {} })
  vi.stubGlobal('fetch', async (_path: string, { headers }: { headers: Record<string, string> }) => {
    const header = headers['payment-signature']
    if (header === undefined)
      return new Response('{}', { status: 402, headers: { 'payment-required': required, ...dated(shopMs) } })
    const { validAfter } = JSON.parse(atob(header)).payload.authorization
    const seconds = (readAuthorization({ header }).endMs - shopMs) / 1000
    // The token contract does the same.
    if (Number(validAfter) * 1000 >= shopMs) return Response.json({ detail: 'not yet' }, { status: 400 })
    // The shop does the same: a product may wait for its payment that long.
    if (seconds > terms.maxTimeoutSeconds + 3600) return Response.json({ detail: 'too long' }, { status: 400 })
    ends.push(seconds)
    return new Response('bought')
  })
  const answers: Record<string, unknown> = {
    eth_requestAccounts: ['0x3333333333333333333333333333333333333333'],
    eth_chainId: '0x2105',
    eth_signTypedData_v4: `0x${'11'.repeat(65)}`,
  }
  const counter: Counter = {
    isSandbox: false,
    say() {},
    choose: async () => ({ request: async ({ method }) => answers[method] }),
    agrees: () => true,
    heard: () => false,
    hand() {},
  }
  await buy(counter, { id: 'a', method: 'GET', path: '/a' })
  return ends[0] ?? Number.NaN
}

const withDate = (shopMs: number) => ({ date: new Date(shopMs).toUTCString() })

/** A page whose clock is ahead of the shop's; the shop answers signed requests with these, then with a refusal. */
function openAhead(aheadMs: number, answers: (() => Response)[] = []) {
  const { now: real } = Date
  const setClock = (ms: number) => vi.spyOn(Date, 'now').mockImplementation(() => real() + ms)
  setClock(aheadMs)
  const shop = (header?: string) =>
    header === undefined
      ? toDemand('payment_required', {}, real())
      : (answers.shift()?.() ?? toDemand('insufficient_funds', {}, real()))
  return { setClock, ...openCheckoutPage({ shop }) }
}

it('signs for the requested duration when the browser’s clock is a day ahead', async () => {
  const end = await signFor(24 * 3600, withDate)
  expect(end).toBeGreaterThan(217)
  expect(end).toBeLessThanOrEqual(221)
})

const dayMs = 24 * 3600 * 1000

it('keeps to one payment when the browser’s clock is a day ahead, which makes its signature look expired', async () => {
  const { sent, said, press } = openAhead(dayMs)
  await press()
  await press()
  expect([sent.length, new Set(sent).size]).toEqual([2, 1])
  expect(said.at(-1)).toContain('stays good until')
})

it('keeps to one payment when the browser’s clock was a day late and is corrected', async () => {
  const { sent, press, setClock } = openAhead(-dayMs)
  await press()
  setClock(0)
  await press()
  expect([sent.length, new Set(sent).size]).toEqual([2, 1])
})

it('waits for a shop that is at work, even when the browser’s clock is a day ahead', async () => {
  const busy = () => new Response('{}', { status: 503, headers: { 'retry-after': '1' } })
  const { sent, said, press } = openAhead(dayMs, [busy, () => new Response('bought')])
  await press()
  expect([sent.length, new Set(sent).size, said.at(-1)]).toEqual([2, 1, 'handed'])
})

it('signs for the requested duration when the browser’s clock is late, and not for what has expired there', async () => {
  for (const seconds of [-15 * 60, -24 * 3600, 0]) {
    const end = await signFor(seconds, withDate)
    expect(end).toBeGreaterThan(217)
    expect(end).toBeLessThanOrEqual(221)
  }
})

it('uses the browser’s clock when it is some minutes ahead, and when the shop sends no date', async () => {
  expect(Math.round(await signFor(15 * 60, withDate))).toBeGreaterThan(15 * 60 + 217)
  expect(Math.round(await signFor(0, () => ({ date: 'now' })))).toBeGreaterThan(217)
  expect(Math.round(await signFor(0, () => ({})))).toBeGreaterThan(217)
})
