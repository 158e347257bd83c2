import { afterEach, expect, it, vi } from 'vitest'
import { buy, type Counter } from '../../src/checkout/buy.ts'
import { readAuthorization } from '../../src/checkout/kept-purchases.ts'
import { network, usdcAddress, usdcDomain } from '../../src/core/chain-constants.ts'

afterEach(() => vi.unstubAllGlobals())

const payTo = '0x2222222222222222222222222222222222221402'
const terms = { scheme: 'exact', network, asset: usdcAddress, payTo, amount: '100000', maxTimeoutSeconds: 220 }
const required = btoa(
  JSON.stringify({ x402Version: 2, resource: { url: '/a' }, accepts: [{ ...terms, extra: usdcDomain }] }),
)

/** For how many seconds a signature is good by the clock of the shop, from which the browser's differs by so many. */
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
    // As the token does.
    if (Number(validAfter) * 1000 >= shopMs) return Response.json({ detail: 'not yet' }, { status: 400 })
    ends.push((readAuthorization({ header }).endMs - shopMs) / 1000)
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

it('signs for as long as the shop asks where the clock of the browser is late, and not for what has ended there', async () => {
  for (const seconds of [-15 * 60, -24 * 3600, 0]) {
    const end = await signFor(seconds, withDate)
    expect(end).toBeGreaterThan(217)
    expect(end).toBeLessThanOrEqual(221)
  }
})

it('goes by the clock of the browser where that is early, which waits by it, and where the shop tells no time', async () => {
  for (const seconds of [15 * 60, 24 * 3600])
    expect(Math.round(await signFor(seconds, withDate))).toBeGreaterThan(seconds + 217)
  expect(Math.round(await signFor(0, () => ({ date: 'now' })))).toBeGreaterThan(217)
  expect(Math.round(await signFor(0, () => ({})))).toBeGreaterThan(217)
})
