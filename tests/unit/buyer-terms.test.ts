import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Challenge, chooseTerms, readChallenge } from '../../src/buyer/terms.ts'
import { network, usdcAddress } from '../../src/core/chain-constants.ts'

const good = {
  scheme: 'exact',
  network,
  amount: '100000',
  asset: usdcAddress,
  payTo: '0x2222222222222222222222222222222222221402',
  maxTimeoutSeconds: 300,
  extra: { name: 'USD Coin', version: '2' },
}
const asking = (...accepts: object[]): Challenge => ({
  x402Version: 2,
  resource: { url: 'https://x.example' },
  accepts,
})
const choose = (maxPrice: bigint, ...accepts: object[]) =>
  chooseTerms(asking(...accepts), { asset: usdcAddress, maxPrice })

describe('the terms of a 402', () => {
  it('can be paid up to exactly the limit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 29n }), fc.bigInt({ min: -2n, max: 2n }), (limit, difference) => {
        const price = limit + difference
        if (price < 0n) return
        const choice = choose(limit, { ...good, amount: price.toString() })
        expect(choice).toMatchObject({ is: price > limit ? 'too-dear' : 'payable', price })
      }),
    )
  })

  it('are echoed with all their fields', () => {
    const terms = { ...good, extra: { ...good.extra, more: [1] }, note: 'kept' }
    expect(choose(100_000n, terms)).toEqual({ is: 'payable', terms, price: 100_000n })
  })

  it('are chosen by price, whatever their order', () => {
    const cheap = { ...good, amount: '99999' }
    expect(choose(10n ** 6n, good, cheap)).toMatchObject({ terms: cheap })
    expect(choose(10n ** 6n, cheap, good)).toMatchObject({ terms: cheap })
  })

  it.each([
    ['another scheme', { scheme: 'upto' }],
    ['another network', { network: 'eip155:84532' }],
    ['Permit2', { extra: { ...good.extra, assetTransferMethod: 'permit2' } }],
    ['payment before the work', { extra: { ...good.extra, paymentFlow: 'upfront' } }],
    ['no name of the token', { extra: {} }],
    ['a price that is not whole', { amount: '1.5' }],
    ['a price in hexadecimal', { amount: '0x10' }],
    ['a negative price', { amount: '-1' }],
    ['a price as a number', { amount: 100_000 }],
    ['a signature good for a year', { maxTimeoutSeconds: 31_536_000 }],
    ['a wallet that is none', { payTo: 'shop.eth' }],
    ['a wallet that nobody has', { payTo: `0x${'0'.repeat(40)}` }],
    ['the token itself for a wallet', { payTo: usdcAddress.toLowerCase() }],
    ['another name of the token, under which a signature is void', { extra: { name: 'USDC', version: '2' } }],
    ['another version of the token', { extra: { name: 'USD Coin', version: '1' } }],
    ['a price that no memory holds', { amount: '9'.repeat(100_000) }],
    ['a wait below zero', { maxTimeoutSeconds: -60 }],
    ['a wait that is no number', { maxTimeoutSeconds: '300' }],
  ])('cannot be paid with %s', (_, change) => {
    expect(choose(10n ** 9n, { ...good, ...change })).toMatchObject({ is: 'unpayable' })
    expect(choose(10n ** 9n, { ...good, ...change }, good)).toMatchObject({ is: 'payable' })
  })

  it('name the other token when that is the reason', () => {
    const asset = '0x3333333333333333333333333333333333333333'
    expect(choose(10n ** 9n, { ...good, asset })).toMatchObject({
      is: 'unpayable',
      detail: expect.stringContaining(asset),
    })
    expect(chooseTerms(asking({ ...good, asset }), { asset, maxPrice: 10n ** 9n })).toMatchObject({ is: 'payable' })
  })

  it('come from the header, or from the body if the header cannot be read', () => {
    const header = Buffer.from(JSON.stringify(asking(good))).toString('base64')
    const body = Buffer.from(JSON.stringify(asking({ ...good, amount: '7' })))
    const amounts = (headers: Headers, content = body) => readChallenge(headers, content)?.accepts
    expect(amounts(new Headers({ 'payment-required': header }))).toEqual([good])
    expect(amounts(new Headers({ 'payment-required': 'not base64 %' }))).toEqual([{ ...good, amount: '7' }])
    expect(amounts(new Headers(), Buffer.from('<html>'))).toBeUndefined()
  })

  it('never crash the program, whatever a shop sends', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const header = Buffer.from(JSON.stringify(value) ?? '').toString('base64')
        const read = readChallenge(new Headers({ 'payment-required': header }), Buffer.from(header))
        if (read) chooseTerms(read, { asset: usdcAddress, maxPrice: 1n })
      }),
    )
  })
})
