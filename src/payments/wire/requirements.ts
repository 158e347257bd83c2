import { domainOf, type PricedAsset, toUnits } from '../../core/assets.ts'
import { network } from '../../core/chain-constants.ts'
import type { MicroUsd } from '../../core/money.ts'
import { getNetwork, type Network } from '../../core/networks.ts'
import type { Payment, Requirements } from './payment.ts'

/** Seconds between the end of the work and the end of the authorization: time to settle, and for clocks to differ. */
const settleMarginSeconds = 40
/** How much longer than asked for an authorization may last: clocks differ, and clients like round numbers. */
const spareSeconds = 3600

/** Who is paid, and in what: one address on every network. */
export interface Wallet {
  payTo: string
  /** USDC on Base: what prices are in. */
  asset: string
  /** Tokens that are taken as well, there or on other networks, in the order in which they are offered. */
  also?: readonly PricedAsset[]
}

/** One token that a price may be paid in. `perUsd` is null for USDC on Base, whose atomic units the price is in. */
export interface Option {
  network: Network['id']
  asset: string
  perUsd: bigint | null
}

/** Every token that is taken, USDC on Base first. */
export const optionsOf = ({ asset, also = [] }: Wallet): [Option, ...Option[]] => [
  { network, asset, perUsd: null },
  ...also.map(toOption),
]
const toOption = ({ network: on, address, perUsd }: PricedAsset): Option => ({ network: on, asset: address, perUsd })

/** The token that a payment is in; the first of its network, or USDC on Base, where we do not take what it names. */
export const optionOf = (wallet: Wallet, { accepted }: Pick<Payment, 'accepted'>): Option => {
  const options = optionsOf(wallet)
  const there = options.filter((option) => option.network === accepted.network)
  return there.find(({ asset }) => isSame(asset, accepted.asset)) ?? there[0] ?? options[0]
}

/** A price in atomic units of the token. */
export const unitsOf = ({ perUsd }: Option, price: MicroUsd): bigint =>
  perUsd === null ? price : toUnits(price, perUsd)

/** The dearest price in micro-USD that so many atomic units of a token pay. */
export const toMicroUsd = ({ perUsd }: Option, units: bigint): MicroUsd =>
  perUsd === null ? units : (units * 1_000_000n) / perUsd

/**
 * The terms of one purchase in one token, as x402 v2 wants them in `accepts`.
 *
 * @param amount atomic units of the token
 */
export const toRequirements = (
  { network: on, payTo, asset }: { network: string; payTo: string; asset: string },
  amount: bigint,
  maxTimeoutSeconds: number,
): Requirements => ({
  scheme: 'exact',
  network: getNetwork(on).id,
  asset,
  amount: amount.toString(),
  payTo,
  maxTimeoutSeconds,
  extra: { name: domainOf(asset).name, version: domainOf(asset).version },
})

/** All ways to pay a price, USDC on Base first. */
export const toAccepts = (wallet: Wallet, price: MicroUsd, maxTimeoutSeconds: number): Requirements[] =>
  optionsOf(wallet).map((option) =>
    toRequirements({ ...option, payTo: wallet.payTo }, unitsOf(option, price), maxTimeoutSeconds),
  )

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
