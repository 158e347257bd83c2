import { describe, expect, it } from 'vitest'
import { hasEnded, type Signed, toExposures, totalOf } from '../../src/buyer/exposure.ts'

const signed = (change: Partial<Signed> = {}): Signed => ({
  payer: '0xA',
  nonce: '0x1',
  payTo: '0xB',
  asset: '0xE',
  amountMicroUsd: '100000',
  validBefore: 1000,
  ...change,
})

describe('what signatures can cost', () => {
  it('is the largest amount under one nonce, to any recipient, until the last signature has expired', () => {
    const all = [
      signed(),
      signed({ payTo: '0xC', amountMicroUsd: '120000', validBefore: 900 }),
      signed({ payTo: '0xb', amountMicroUsd: '90000', validBefore: 1100 }),
    ]
    expect(toExposures(all)).toEqual([
      { payer: '0xA', nonce: '0x1', payTo: ['0xB', '0xC'], asset: '0xE', amount: 120_000n, validBefore: 1100 },
    ])
    expect(totalOf(all)).toBe(120_000n)
  })

  it('is summed over nonces and payers, whose nonces are independent', () => {
    expect(totalOf([signed(), signed({ nonce: '0x2' }), signed({ payer: '0xD' }), signed({ payer: '0xa' })])).toBe(
      300_000n,
    )
  })

  it('is summed over tokens, each of which accepts a nonce once', () => {
    const all = [signed(), signed({ asset: '0xF', amountMicroUsd: '120000' }), signed({ asset: '0xe' })]
    expect(totalOf(all)).toBe(220_000n)
    expect(toExposures(all).map(({ asset, amount }) => [asset, amount])).toEqual([
      ['0xE', 100_000n],
      ['0xF', 120_000n],
    ])
  })

  it('ends a minute after expiry, because clocks differ', () => {
    expect([1000, 1059, 1060].map((seconds) => hasEnded(signed(), seconds * 1000))).toEqual([false, false, true])
  })
})
