import { afterEach, expect, it, vi } from 'vitest'
import { buy, type Counter } from '../../src/checkout/buy.ts'
import { readAuthorization } from '../../src/checkout/kept-purchases.ts'
import { network, usdcAddress, usdcDomain } from '../../src/core/chain-constants.ts'
import { PageStorage } from '../support/page-storage.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

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
    const seconds = (readAuthorization({ header }).endMs - shopMs) / 1000
    // As the token does.
    if (Number(validAfter) * 1000 >= shopMs) return Response.json({ detail: 'not yet' }, { status: 400 })
    // As the shop does: a product may wait for its payment as long as that lasts.
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

/** Presses the button so often, with a clock that is so far ahead of a shop's that says this; what was signed and sent. */
async function pressAhead(aheadMs: number, presses: number, answers: readonly (() => Response)[]) {
  const { now: real } = Date
  const headers: string[] = []
  const said: string[] = []
  const left = [...answers]
  vi.spyOn(Date, 'now').mockImplementation(() => real() + aheadMs)
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('window', { addEventListener() {} })
  vi.stubGlobal('localStorage', new PageStorage())
  const demand = (error: string) => {
    const json = JSON.stringify({ ...JSON.parse(atob(required)), error })
    const date = new Date(real()).toUTCString()
    return Response.json({ detail: error }, { status: 402, headers: { 'payment-required': btoa(json), date } })
  }
  vi.stubGlobal('fetch', async (_path: string, request: { headers: Record<string, string> }) => {
    const header = request.headers['payment-signature']
    if (header === undefined) return demand('payment_required')
    headers.push(header)
    return left.shift()?.() ?? demand('insufficient_funds')
  })
  const replies: Record<string, unknown> = {
    eth_requestAccounts: ['0x3333333333333333333333333333333333333333'],
    eth_chainId: '0x2105',
    eth_signTypedData_v4: `0x${'11'.repeat(65)}`,
  }
  const counter: Counter = {
    isSandbox: false,
    say: (...content) => void said.push(content.join('')),
    choose: async () => ({ request: async ({ method }) => replies[method] }),
    agrees: () => true,
    heard: () => false,
    hand: () => void said.push('handed'),
  }
  for (let press = 0; press < presses; press += 1) await buy(counter, { id: 'early', method: 'GET', path: '/early' })
  return { headers, said }
}

it('signs for as long as the shop asks where the clock of the browser is a day ahead, which it refused before', async () => {
  const end = await signFor(24 * 3600, withDate)
  expect(end).toBeGreaterThan(217)
  expect(end).toBeLessThanOrEqual(221)
})

it('keeps to one payment where the clock of the browser is a day ahead, by which its signature has ended long ago', async () => {
  const { headers, said } = await pressAhead(24 * 3600 * 1000, 2, [])
  expect([headers.length, new Set(headers).size]).toEqual([2, 1])
  expect(said.at(-1)).toContain('stays good until')
})

it('waits for a shop that is at work also where the clock of the browser is a day ahead', async () => {
  const busy = () => new Response('{}', { status: 503, headers: { 'retry-after': '1' } })
  const { headers, said } = await pressAhead(24 * 3600 * 1000, 1, [busy, () => new Response('bought')])
  expect([headers.length, new Set(headers).size, said.at(-1)]).toEqual([2, 1, 'handed'])
})

it('signs for as long as the shop asks where the clock of the browser is late, and not for what has ended there', async () => {
  for (const seconds of [-15 * 60, -24 * 3600, 0]) {
    const end = await signFor(seconds, withDate)
    expect(end).toBeGreaterThan(217)
    expect(end).toBeLessThanOrEqual(221)
  }
})

it('goes by the clock of the browser where that is some minutes early, and where the shop tells no time', async () => {
  expect(Math.round(await signFor(15 * 60, withDate))).toBeGreaterThan(15 * 60 + 217)
  expect(Math.round(await signFor(0, () => ({ date: 'now' })))).toBeGreaterThan(217)
  expect(Math.round(await signFor(0, () => ({})))).toBeGreaterThan(217)
})
