import { vi } from 'vitest'
import { buy, type Counter } from '../../src/checkout/buy.ts'
import type { Purchase } from '../../src/checkout/kept-purchases.ts'
import { network, usdcAddress, usdcDomain } from '../../src/core/chain-constants.ts'
import { PageStorage } from './page-storage.ts'

export const pagePayer = '0x3333333333333333333333333333333333333333'
export const pagePurchase: Purchase = { id: 'a', method: 'GET', path: '/a' }
const terms = {
  scheme: 'exact',
  network,
  asset: usdcAddress,
  payTo: '0x2222222222222222222222222222222222221402',
  amount: '100000',
  maxTimeoutSeconds: 220,
}

/** A 402 response with this error code and these terms, and with the shop's time in a Date header if given. */
export function toDemand(error: string, changes: Partial<typeof terms> = {}, shopMs?: number): Response {
  const accepts = [{ ...terms, ...changes, extra: usdcDomain }]
  const required = btoa(JSON.stringify({ x402Version: 2, error, resource: { url: '/a' }, accepts }))
  const date = shopMs === undefined ? {} : { date: new Date(shopMs).toUTCString() }
  return Response.json({ detail: error }, { status: 402, headers: { 'payment-required': required, ...date } })
}

interface Surroundings {
  /** The shop's response to a signed request, or to one without a signature. */
  readonly shop: (header: string | undefined) => Response | Promise<Response>
  /** Responses of the wallet that differ from those of `pagePayer` on Base, which signs. */
  readonly wallet?: Readonly<Record<string, () => unknown>>
  readonly counter?: Partial<Counter>
}

/** A product page without a browser: what it sent and displayed, and a function that presses its button. */
export function openCheckoutPage({ shop, wallet = {}, counter = {} }: Surroundings) {
  const sent: string[] = []
  const said: string[] = []
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('window', { addEventListener() {} })
  vi.stubGlobal('localStorage', new PageStorage())
  vi.stubGlobal('fetch', async (_path: string, { headers }: { headers: Record<string, string> }) => {
    const header = headers['payment-signature']
    if (header !== undefined) sent.push(header)
    return shop(header)
  })
  const answers: Record<string, () => unknown> = {
    eth_requestAccounts: () => [pagePayer],
    eth_chainId: () => '0x2105',
    eth_signTypedData_v4: () => `0x${'11'.repeat(65)}`,
    ...wallet,
  }
  const page: Counter = {
    isSandbox: false,
    say: (...content) => void said.push(content.join('')),
    choose: async () => ({ request: async ({ method }) => answers[method]?.() }),
    agrees: () => true,
    heard: () => false,
    hand: () => void said.push('handed'),
    ...counter,
  }
  return { sent, said, press: () => buy(page, pagePurchase) }
}
