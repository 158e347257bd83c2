import fc from 'fast-check'
import { expect, it } from 'vitest'
import packOffer from '../../functions/llms-pack/offer.ts'
import { network } from '../../src/core/chain-constants.ts'
import { toDisplay, toUsdNumber, usd } from '../../src/core/money.ts'
import { toPaymentParameters } from '../../src/discovery/catalog.ts'
import { findProducts } from '../../src/offers/find-products.ts'
import { advertisedPrice, priceOf } from '../../src/offers/offer.ts'
import { toOffers } from '../../src/offers/products.ts'
import { findMismatch, toRequirements } from '../../src/payments/wire/requirements.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { testPayTo } from '../support/signed-payments.ts'

const wallet = { payTo: testPayTo, asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }
const runs = figure(20_000, 1_000_000)
const shop = {
  baseUrl: 'http://farthing.test',
  gameUrl: 'http://undercroft.test',
  wsUrl: 'ws://undercroft.test/ws',
  network,
  alsoAccepts: [],
  facilitatorUrl: 'http://x',
  mode: 'sandbox' as const,
  ...wallet,
}

it('quotes, advertises and charges one amount for every product', async () => {
  for (const offer of toOffers(await findProducts('functions'), [])) {
    const terms = toRequirements({ ...wallet, network }, advertisedPrice(offer), 300)
    const published = toPaymentParameters(offer, shop)
    expect(published.priceMicroUsd).toBe(terms.amount)
    expect(Math.round(published.priceUsd * 1e6)).toBe(Number(terms.amount))
  }
})

it(`prices the packer exactly for every count of pages (${runs} requests)`, {
  timeout: limitMs(600_000, 600_000),
}, () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1000, max: 50_000 }), (count, maxCharsPerPage) => {
      const urls = Array.from({ length: count }, (_, page) => `https://example.com/${page}`)
      return priceOf(packOffer, { urls, maxCharsPerPage }) === 50_000n + 10_000n * BigInt(count)
    }),
    { numRuns: runs, ...seed },
  )
  expect(
    [1, 5, 20].map((count) => toDisplay(priceOf(packOffer, { urls: Array(count).fill('x'), maxCharsPerPage: 1000 }))),
  ).toEqual(['$0.06', '$0.10', '$0.25'])
})

it(`accepts the exact amount and nothing else (${runs} amounts)`, { timeout: limitMs(600_000, 600_000) }, () => {
  const terms = toRequirements({ ...wallet, network }, 60_000n, 300)
  const now = Date.now()
  const amounts = fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
    fc.constantFrom(
      '59999',
      '60001',
      '060000',
      '0x',
      '1e5',
      ' 60000',
      '60000 ',
      '-60000',
      '+60000',
      '60000.0',
      '6e4',
      '٦٠٠٠٠',
    ),
    fc.string(),
  )
  const pay = (value: string, amount: string) =>
    findMismatch(
      {
        key: '',
        payer: '',
        accepted: { ...terms, amount },
        authorization: {
          from: '',
          to: testPayTo,
          value,
          validAfter: '0',
          validBefore: String(Math.floor(now / 1000) + 300),
          nonce: '',
        },
        tokenHash: null,
        identifierHash: null,
        payload: {},
        signature: '0x',
      },
      terms,
      20,
      now,
    )
  expect(pay('60000', '60000')).toBeUndefined()
  fc.assert(
    fc.property(amounts, fc.boolean(), (amount, inTerms) => {
      if (amount === '60000') return true
      return (inTerms ? pay('60000', amount) : pay(amount, '60000')) !== undefined
    }),
    { numRuns: runs, ...seed },
  )
})

it('reads and shows prices without rounding', () => {
  expect(['0.05', '0.5', '25', '0.000001', '1.234567'].map(usd)).toEqual([
    50_000n,
    500_000n,
    25_000_000n,
    1n,
    1_234_567n,
  ])
  expect([50_000n, 100_000n, 25_000_000n, 1n, 52_500n].map(toDisplay)).toEqual([
    '$0.05',
    '$0.10',
    '$25.00',
    '$0.000001',
    '$0.0525',
  ])
  expect(toUsdNumber(170_000n)).toBe(0.17)
  for (const text of ['', '.5', '1.', '-1', '1e3', '0.0000001', '٣', '1,5']) expect(() => usd(text)).toThrow(TypeError)
})
