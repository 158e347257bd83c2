import { expect, it } from 'vitest'
import { eurc, testUsdc } from '../../src/core/assets.ts'
import { network, usdcAddress } from '../../src/core/chain-constants.ts'
import { readPayment } from '../../src/payments/wire/read-payment.ts'
import { findMismatch, optionOf, toMicroUsd, toRequirements, unitsOf } from '../../src/payments/wire/requirements.ts'
import { signPayment, testPayTo } from '../support/signed-payments.ts'

const nowMs = 1_800_000_000_000
const nowSeconds = nowMs / 1000
const terms = toRequirements({ network, payTo: testPayTo, asset: usdcAddress }, 100_000n, 60)

const open = async () => {
  const payment = readPayment((await signPayment({ amount: 100_000n, validBefore: nowSeconds + 100 })).header)
  if (!payment) throw new Error('the payment cannot be read')
  return payment
}

it('accepts no payment of another scheme', async () => {
  const payment = await open()
  const upTo = { ...payment, accepted: { ...payment.accepted, scheme: 'upto' } }
  expect(findMismatch(payment, terms, 20, nowMs)).toBeUndefined()
  expect(findMismatch(upTo, terms, 20, nowMs)).toBe('unsupported_scheme')
})

it('accepts an authorization that is valid from this second on, and none that is valid later', async () => {
  const payment = await open()
  const from = (validAfter: number) => ({
    ...payment,
    authorization: { ...payment.authorization, validAfter: `${validAfter}` },
  })
  expect(findMismatch(from(nowSeconds), terms, 20, nowMs)).toBeUndefined()
  expect(findMismatch(from(nowSeconds + 1), terms, 20, nowMs)).toBe(
    'invalid_exact_evm_payload_authorization_valid_after',
  )
})

it('takes a payment in an unknown token for one in the first token of its network', async () => {
  const wallet = { payTo: testPayTo, asset: usdcAddress, also: [{ ...testUsdc, perUsd: 1_000_000n }] }
  const { accepted } = await open()
  const optionIn = (on: string) =>
    optionOf(wallet, { accepted: { ...accepted, network: on, asset: eurc.address } }).asset
  expect([network, testUsdc.network, 'eip155:1'].map(optionIn)).toEqual([usdcAddress, testUsdc.address, usdcAddress])
})

it('converts what was paid in another token to the highest price that it pays', () => {
  const euros = { network: eurc.network, asset: eurc.address, perUsd: 920_000n }
  for (const price of [1n, 50_000n, 60_001n, 100_000n]) {
    const paid = toMicroUsd(euros, unitsOf(euros, price))
    expect(paid).toBeGreaterThanOrEqual(price)
    expect(unitsOf(euros, paid)).toBe(unitsOf(euros, price))
    expect(unitsOf(euros, paid + 1n)).toBeGreaterThan(unitsOf(euros, price))
  }
})
