import type { MicroUsd } from '../core/money.ts'
import type { PendingPurchase } from './pending-purchases.ts'

/**
 * What signatures in one token under one nonce can cost together. A token honours one authorization of a payer and nonce,
 * whatever the others say (EIP-3009), so that is the dearest of them and never the sum. Another token knows nothing of it.
 */
export interface Exposure {
  amount: MicroUsd
  payer: string
  /** Everybody who may be the one that is paid. */
  payTo: string[]
  /** The token. */
  asset: string
  nonce: string
  /** Seconds since 1970, after which none of them moves money; what was moved before then stays moved. */
  validBefore: number
}

/** What an exposure is made of. */
export type Signed = Pick<PendingPurchase, 'payer' | 'nonce' | 'payTo' | 'asset' | 'amountMicroUsd' | 'validBefore'>

/** Clocks differ, and a chain that was behind makes blocks of the past. */
const graceMs = 60_000

/** Whether a signature cannot be collected any more. */
export const hasEnded = ({ validBefore }: Pick<Signed, 'validBefore'>, nowMs: number): boolean =>
  validBefore * 1000 + graceMs <= nowMs

/** The earlier of two clocks, so that nothing is taken to have ended too soon: that of the shop, where it is told, may lie. */
export const toEarliest = (nowMs: number, shopMs: number | undefined): number => Math.min(nowMs, shopMs ?? nowMs)

/** The same of signatures of which one alone can move money, however addresses are spelled. */
const toPlace = ({ asset, payer, nonce }: Signed): string => `${asset} ${payer} ${nonce}`.toLowerCase()

/** Whether a token that honours the one honours the other no more. */
export const excludes = (one: Signed, other: Signed): boolean => toPlace(one) === toPlace(other)

/** Sorts signatures by what excludes what. */
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

/** The most that can be lost by all of these signatures. */
export const totalOf = (signatures: readonly Signed[]): MicroUsd =>
  toExposures(signatures).reduce((sum, { amount }) => sum + amount, 0n)
