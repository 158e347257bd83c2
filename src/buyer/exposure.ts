import type { MicroUsd } from '../core/money.ts'
import type { PendingPurchase } from './pending-purchases.ts'

/**
 * What signatures in one token under one nonce can cost together. The token accepts only one authorization for a payer
 * and nonce (EIP-3009), so it is the largest amount and not the sum. Another token has its own nonces.
 */
export interface Exposure {
  amount: MicroUsd
  payer: string
  /** All possible recipients. */
  payTo: string[]
  /** The address of the token. */
  asset: string
  nonce: string
  /** Seconds since 1970, after which none of the signatures can move money; transfers made before stay. */
  validBefore: number
}

/** The parts of a pending purchase that make up an exposure. */
export type Signed = Pick<PendingPurchase, 'payer' | 'nonce' | 'payTo' | 'asset' | 'amountMicroUsd' | 'validBefore'>

/** Extra time after the expiry, because clocks differ and a chain that was behind makes blocks with past times. */
const graceMs = 60_000

/** Whether a signature can no longer be collected. */
export const hasEnded = ({ validBefore }: Pick<Signed, 'validBefore'>, nowMs: number): boolean =>
  validBefore * 1000 + graceMs <= nowMs

/**
 * The earlier of our clock and that of the shop, if known. The shop may lie, and the earlier time never makes a
 * signature count as expired too soon.
 */
export const toEarliest = (nowMs: number, shopMs: number | undefined): number => Math.min(nowMs, shopMs ?? nowMs)

/** The key of signatures of which only one can move money; addresses are compared without case. */
const toPlace = ({ asset, payer, nonce }: Signed): string => `${asset} ${payer} ${nonce}`.toLowerCase()

/** Whether the token accepts at most one of two signatures. */
export const excludes = (one: Signed, other: Signed): boolean => toPlace(one) === toPlace(other)

/** Groups signatures of which only one can move money. */
export function toExposures(signatures: readonly Signed[]): Exposure[] {
  const byNonce = new Map<string, Exposure>()
  for (const signed of signatures) {
    const { payer, nonce, payTo, asset, amountMicroUsd, validBefore } = signed
    const key = toPlace(signed)
    const known = byNonce.get(key) ?? { amount: 0n, payer, payTo: [], asset, nonce, validBefore: 0 }
    const amount = BigInt(amountMicroUsd)
    byNonce.set(key, {
      ...known,
      amount: amount > known.amount ? amount : known.amount,
      payTo: known.payTo.some((one) => one.toLowerCase() === payTo.toLowerCase())
        ? known.payTo
        : [...known.payTo, payTo],
      validBefore: Math.max(known.validBefore, validBefore),
    })
  }
  return [...byNonce.values()]
}

/** The largest amount that all of these signatures can cost. */
export const totalOf = (signatures: readonly Signed[]): MicroUsd =>
  toExposures(signatures).reduce((sum, { amount }) => sum + amount, 0n)
