import { domainOf, type PricedAsset, toUnits } from '../../core/assets.ts'
import { network } from '../../core/chain-constants.ts'
import type { MicroUsd } from '../../core/money.ts'
import { getNetwork, type Network } from '../../core/networks.ts'
import type { Payment, Requirements } from './payment.ts'

/** Seconds for which an authorization must outlast the work: time to settle, and for clocks that differ. */
const settleMarginSeconds = 40
/** Seconds by which an authorization may last longer than the terms say: clocks differ, and clients round up. */
const spareSeconds = 3600

/** The address that is paid, the same on every network, and the tokens that it takes. */
export interface Wallet {
  payTo: string
  /** The contract of USDC on Base, in whose atomic units prices are. */
  asset: string
  /** Other tokens that are accepted, on Base or other networks, in the order in which they are offered. */
  also?: readonly PricedAsset[]
}

/** A token that a price may be paid in. `perUsd`: its atomic units per US dollar; null for USDC on Base. */
export interface Option {
  network: Network['id']
  asset: string
  perUsd: bigint | null
}

/** All tokens that are accepted, USDC on Base first. */
export const optionsOf = ({ asset, also = [] }: Wallet): [Option, ...Option[]] => [
  { network, asset, perUsd: null },
  ...also.map(toOption),
]
const toOption = ({ network: on, address, perUsd }: PricedAsset): Option => ({ network: on, asset: address, perUsd })

/**
 * The token that a payment is in. Where we do not accept the token it names: the first one on its network, or USDC on
 * Base if there is none.
 */
export const optionOf = (wallet: Wallet, { accepted }: Pick<Payment, 'accepted'>): Option => {
  const options = optionsOf(wallet)
  const there = options.filter((option) => option.network === accepted.network)
  return there.find(({ asset }) => isSame(asset, accepted.asset)) ?? there[0] ?? options[0]
}

/** A price in atomic units of the token. */
export const unitsOf = ({ perUsd }: Option, price: MicroUsd): bigint =>
  perUsd === null ? price : toUnits(price, perUsd)

/** The highest price in micro-USD that an amount in atomic units of a token pays. */
export const toMicroUsd = ({ perUsd }: Option, units: bigint): MicroUsd =>
  perUsd === null ? units : (units * 1_000_000n) / perUsd

/**
 * The terms of one purchase in one token, as an entry of `accepts` in x402 v2.
 *
 * @param amount in atomic units of the token
 * @throws Error for a network that we do not know
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

/** The terms of a price in all accepted tokens, USDC on Base first. */
export const toAccepts = (wallet: Wallet, price: MicroUsd, maxTimeoutSeconds: number): Requirements[] =>
  optionsOf(wallet).map((option) =>
    toRequirements({ ...option, payTo: wallet.payTo }, unitsOf(option, price), maxTimeoutSeconds),
  )

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/**
 * Why a payment does not meet the terms, as an x402 reason code; undefined when it does. This is checked before a
 * facilitator is asked, so that it is only asked about payments that would pay exactly the price to us, in time.
 *
 * @param workSeconds how long the work may take
 * @param nowMs wall clock, in milliseconds
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
  // An upper limit, because an unpaid product is kept as long as its authorization is valid.
  if (BigInt(authorization.validBefore) > nowSeconds + BigInt(terms.maxTimeoutSeconds + spareSeconds))
    return 'invalid_exact_evm_payload_authorization_valid_before'
  return undefined
}
