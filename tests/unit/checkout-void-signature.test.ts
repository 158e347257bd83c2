import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { buy, type Counter } from '../../src/checkout/buy.ts'
import { readAuthorization, readKept } from '../../src/checkout/kept-purchases.ts'
import { network, usdcAddress, usdcDomain } from '../../src/core/chain-constants.ts'
import { PageStorage } from '../support/page-storage.ts'

const payTo = '0x2222222222222222222222222222222222221402'
const terms = { scheme: 'exact', network, asset: usdcAddress, payTo, amount: '100000', maxTimeoutSeconds: 220 }
const good = `0x${'11'.repeat(65)}`
const toHeader = (error: string) =>
  btoa(JSON.stringify({ x402Version: 2, error, resource: { url: '/a' }, accepts: [{ ...terms, extra: usdcDomain }] }))

const sent: string[] = []
const said: string[] = []
beforeEach(() => {
  sent.length = 0
  said.length = 0
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('localStorage', new PageStorage())
})
afterEach(() => vi.unstubAllGlobals())

/** Presses the button once for each of these answers of the wallet, at a shop that names this code where one is bad. */
async function press(replies: readonly unknown[], code: string): Promise<void> {
  const demand = (error: string) =>
    Response.json({ detail: error }, { status: 402, headers: { 'payment-required': toHeader(error) } })
  vi.stubGlobal('fetch', async (_path: string, { headers }: { headers: Record<string, string> }) => {
    const header = headers['payment-signature']
    if (header === undefined) return demand('payment_required')
    sent.push(header)
    const isGood = JSON.parse(atob(header)).payload.signature === good
    return isGood ? new Response('bought') : demand(code)
  })
  const left = [...replies]
  const answers: Record<string, unknown> = {
    eth_requestAccounts: ['0x3333333333333333333333333333333333333333'],
    eth_chainId: '0x2105',
  }
  const counter: Counter = {
    isSandbox: false,
    say: (...content) => void said.push(content.join('')),
    choose: async () => ({
      request: async ({ method }) => (method === 'eth_signTypedData_v4' ? left.shift() : answers[method]),
    }),
    agrees: () => true,
    heard: () => false,
    hand: () => void said.push('handed'),
  }
  for (const _ of replies) await buy(counter, { id: 'a', method: 'GET', path: '/a' })
}

it.each([
  ['of another account', `0x${'22'.repeat(65)}`, 'invalid_exact_evm_signature'],
  ['of another account, as other facilitators say', `0x${'22'.repeat(65)}`, 'invalid_exact_evm_payload_signature'],
  ['that is none', 'signed', 'invalid_payload'],
])('asks the wallet again, for the same payment, where it gave a signature %s', async (_, bad, code) => {
  await press([bad, good], code)
  expect(said.at(-1)).toBe('handed')
  expect(new Set(sent.map((header) => readAuthorization({ header }).nonce)).size).toBe(1)
  expect(readKept()).toEqual([])
})

it.each([[null], [undefined], ['']])(
  'sends nothing where a wallet answers %j for its signature, and asks it again at the next press',
  async (nothing) => {
    await press([nothing], 'invalid_payload')
    expect([sent, readKept(), said.at(-1)]).toEqual([[], [], 'You said no in the wallet. Nothing was charged.'])
    await press([good], 'invalid_payload')
    expect(said.at(-1)).toBe('handed')
  },
)
