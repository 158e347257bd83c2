import { afterEach, expect, it, vi } from 'vitest'
import { findKept, readAuthorization } from '../../src/checkout/kept-purchases.ts'
import { send } from '../../src/checkout/send.ts'
import { openCheckoutPage, toDemand } from '../support/checkout-page.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const bought = () => new Response('bought')
const noncesOf = (sent: readonly string[]) => new Set(sent.map((header) => readAuthorization({ header }).nonce)).size

/** A checkout page of a shop that demands payment and answers signed requests with these responses in turn. */
const open = (answers: (() => Response)[], more: Partial<Parameters<typeof openCheckoutPage>[0]> = {}) =>
  openCheckoutPage({
    shop: (header) => (header === undefined ? toDemand('payment_required') : (answers.shift() ?? bought)()),
    ...more,
  })

it.each([
  [503, {}, undefined, 'pending'],
  [500, { charged: 'unknown', retryable: true }, undefined, 'pending'],
  [503, { charged: false }, undefined, 'refused'],
  [503, { retryable: false }, undefined, 'refused'],
  [503, { charged: false, retryable: false }, '2', 'pending'],
  [409, {}, undefined, 'pending'],
  [429, {}, undefined, 'pending'],
  [403, { charged: 'unknown' }, '2', 'refused'],
  [404, {}, undefined, 'refused'],
])('a page handles a %i of %j, to be retried after %s, as: %s', async (status, body, wait, expected) => {
  openCheckoutPage({
    shop: () => Response.json(body, { status, headers: wait === undefined ? {} : { 'retry-after': wait } }),
  })
  const header = btoa(JSON.stringify({ payload: { authorization: { validBefore: String(2 ** 40) } } }))
  expect((await send({ id: 'a', method: 'GET', path: '/a', header })).is).toBe(expected)
})

it('a page stores a signature before it sends it', async () => {
  const kept: unknown[] = []
  const { press } = open([
    () => {
      kept.push(JSON.parse(String(Object.values(localStorage)[0])).header)
      return bought()
    },
  ])
  await press()
  expect(kept).toEqual([expect.stringMatching(/^ey/)])
  expect(findKept('a')).toBeUndefined()
})

it('a page does not resend by itself what the shop refused', async () => {
  const { press } = open([() => Response.json({ detail: 'it is sold out', charged: false }, { status: 403 })])
  await press()
  expect(findKept('a')?.declined).toBe('it is sold out')
})

it('a page requests no signature for a price that its buyer has not seen', async () => {
  const { sent, said, press } = open([], { counter: { agrees: () => false } })
  await press()
  expect([sent, said.at(-1)]).toEqual([[], expect.stringMatching(/^The price is another one now/)])
})

it.each([
  ['another wallet is paid', { payTo: '0x4444444444444444444444444444444444444444' }],
  ['the price is another', { amount: '90000' }],
])('a page requests a new signature for the same payment when %s', async (_, changes) => {
  const { sent, said, press } = open([() => toDemand('declined'), () => toDemand('declined', changes)])
  await press()
  await press()
  expect([sent.length, new Set(sent).size, noncesOf(sent), said.at(-1)]).toEqual([3, 2, 1, 'handed'])
})

it('a page requests another payment once the one before can no longer be collected', async () => {
  const { sent, press } = open([() => toDemand('declined'), () => toDemand('declined')])
  await press()
  const later = Date.now() + 300_000
  vi.spyOn(Date, 'now').mockReturnValue(later)
  await press()
  expect([sent.length, noncesOf(sent)]).toEqual([3, 2])
})

it('a page treats a payment as collectable for a minute after its expiry, because clocks differ', async () => {
  const { sent, press } = open([() => toDemand('declined'), () => toDemand('declined', { amount: '90000' })])
  await press()
  const { endMs } = readAuthorization({ header: sent[0] ?? '' })
  vi.spyOn(Date, 'now').mockReturnValue(endMs + 50_000)
  await press()
  expect([sent.length, noncesOf(sent)]).toEqual([3, 1])
})

it('a page lets no other wallet sign while a payment may still be collected', async () => {
  const accounts = ['0x3333333333333333333333333333333333333333', '0x5555555555555555555555555555555555555555']
  const { sent, said, press } = open([() => toDemand('declined'), () => toDemand('declined', { amount: '90000' })], {
    wallet: { eth_requestAccounts: () => [accounts.shift()] },
  })
  await press()
  await press()
  expect([new Set(sent).size, said.at(-1)]).toEqual([
    1,
    expect.stringMatching(/^You signed before with the wallet 0x3333/),
  ])
})

it('a page requests no signature on another chain', async () => {
  let asked = 0
  const { sent, said, press } = open([], {
    wallet: { eth_chainId: () => '0x1', eth_signTypedData_v4: () => (asked += 1) },
  })
  await press()
  expect([sent, asked, said.at(-1)]).toEqual([[], 0, expect.stringMatching(/^Your wallet is on another chain/)])
})

it('a page requests no signature that can be collected for longer than an hour', async () => {
  const { sent, press } = openCheckoutPage({
    shop: (header) => (header === undefined ? toDemand('payment_required', { maxTimeoutSeconds: 86_400 }) : bought()),
  })
  await press()
  const { endMs } = readAuthorization({ header: sent[0] ?? '' })
  expect(endMs - Date.now()).toBeLessThanOrEqual(3_600_000)
})

it('a page never sends the same signature twice when a new one is requested within a second', async () => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.now())
  const { sent, press } = open([() => toDemand('expired'), () => toDemand('expired')])
  await press()
  await press()
  expect([sent.length, new Set(sent).size, noncesOf(sent)]).toEqual([3, 2, 1])
})

it('a page stops retrying when there is no response while its signature is valid', async () => {
  const { said, press } = open([], {
    shop(header) {
      if (header === undefined) return toDemand('payment_required')
      const later = Date.now() + 300_000
      vi.spyOn(Date, 'now').mockReturnValue(later)
      throw new TypeError('Failed to fetch')
    },
  })
  await press()
  expect(said.at(-1)).toMatch(/^The shop does not answer\. If it took the payment/)
  expect(findKept('a')).toMatchObject({ declined: '' })
})
