import { network, usdcDomain } from '../../core/chain-constants.ts'
import type { MicroUsd } from '../../core/money.ts'
import type { Payment, Requirements } from './payment.ts'

/** Seconds between the end of the work and the end of the authorization: time to settle, and for clocks to differ. */
const settleMarginSeconds = 40
/** How much longer than asked for an authorization may last: clocks differ, and clients like round numbers. */
const spareSeconds = 3600

/** Who is paid, and in what. */
export interface Wallet {
  payTo: string
  asset: string
}

/** The terms of one purchase, as x402 v2 wants them in `accepts`. */
export const toRequirements = (wallet: Wallet, amount: MicroUsd, maxTimeoutSeconds: number): Requirements => ({
  scheme: 'exact',
  network,
  asset: wallet.asset,
  amount: amount.toString(),
  payTo: wallet.payTo,
  maxTimeoutSeconds,
  extra: { name: usdcDomain.name, version: usdcDomain.version },
})

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/**
 * Why a payment does not meet the terms, as an x402 reason code; undefined when it does. Checked by us first: a
 * facilitator is asked only about payments that would pay us exactly the price, in time.
 *
 * @param nowMs wall clock
 */
export function findMismatch(
  { accepted, authorization }: Payment,
  terms: Requirements,
  workSeconds: number,
  nowMs: number,
): string | undefined {
  if (accepted.scheme !== terms.scheme) return 'unsupported_scheme'
  if (accepted.network !== terms.network) return 'invalid_network'
  if (!isSame(accepted.asset, terms.asset)) return 'invalid_exact_evm_asset_mismatch'
  if (!isSame(accepted.payTo, terms.payTo)) return 'invalid_exact_evm_recipient_mismatch'
  if (accepted.amount !== terms.amount) return 'invalid_exact_evm_payload_authorization_value_mismatch'
  if (!isSame(authorization.to, terms.payTo)) return 'invalid_exact_evm_recipient_mismatch'
  if (authorization.value !== terms.amount) return 'invalid_exact_evm_payload_authorization_value_mismatch'
  const nowSeconds = BigInt(Math.floor(nowMs / 1000))
  if (BigInt(authorization.validAfter) > nowSeconds) return 'invalid_exact_evm_payload_authorization_valid_after'
  if (BigInt(authorization.validBefore) < nowSeconds + BigInt(workSeconds + settleMarginSeconds))
    return 'invalid_exact_evm_payload_authorization_valid_before'
  // A product may wait for its payment as long as the authorization lasts.
  if (BigInt(authorization.validBefore) > nowSeconds + BigInt(terms.maxTimeoutSeconds + spareSeconds))
    return 'invalid_exact_evm_payload_authorization_valid_before'
  return undefined
}
