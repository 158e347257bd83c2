import type { MicroUsd } from '../core/money.ts'
import type { BoughtRecord } from './bought-records.ts'
import type { Exposure } from './exposure.ts'
import type { PaymentProof } from './payment-proof.ts'
import type { PendingPurchase } from './pending-purchases.ts'
import type { ShopProblem } from './read-problem.ts'
import type { Terms } from './terms.ts'
import { showAmount } from './token.ts'

/** A product that was saved or written out. */
export interface Delivered {
  bytes: number
  sha256: string
  mimeType: string
  where: { is: 'file'; path: string } | { is: 'output' } | { is: 'report'; text: string }
}

/** How a run ended. */
export type Outcome =
  | {
      is: 'bought'
      purchase: PendingPurchase
      delivered: Delivered
      proof: PaymentProof
      receiptUrl: string | undefined
      resends: number
      /** Whether the signature came from an earlier run. */
      resumed: boolean
      /** Whether the shop says that the wallet owned the product already and that this signature is not charged. */
      isOwned: boolean
      /** Other signatures for the same request that brought no product and could still be charged in addition. */
      risk: Exposure[]
    }
  /** An earlier run bought it, and its signature fetched it again. */
  | { is: 'again'; before: BoughtRecord; delivered: Delivered; receiptUrl: string | undefined; record: string }
  | { is: 'free'; delivered: Delivered }
  | { is: 'refused'; status: number; problem: ShopProblem }
  | { is: 'unreachable'; detail: string }
  | { is: 'redirected'; location: string }
  | { is: 'no-key'; terms: Terms; price: MicroUsd }
  | {
      is: 'too-dear'
      price: MicroUsd
      /** The token of the price. */
      asset: string
      maxPrice: MicroUsd
      /** What earlier signatures count against the limit in addition. */
      outstanding: MicroUsd
      /** The signatures for this very request; empty when there are none. */
      risk: Exposure[]
    }
  | { is: 'unpayable'; detail: string }
  /** A signature was sent, and the shop responded 402. */
  | { is: 'payment-refused'; reason: string; payer: string; risk: Exposure[]; record: string }
  /** A signature was sent, and no product arrived. */
  | { is: 'unresolved'; detail: string; risk: Exposure[]; record: string }
  /** The product could not be saved. `record` is undefined if it was free. */
  | { is: 'not-kept'; detail: string; risk: Exposure[]; record: string | undefined }

/** The exit code of the process; documented in `usage`. */
export function toExitCode({ is }: Outcome): number {
  switch (is) {
    case 'bought':
    case 'again':
    case 'free':
      return 0
    case 'refused':
    case 'unreachable':
    case 'redirected':
      return 1
    case 'no-key':
      return 2
    case 'too-dear':
      return 3
    case 'unpayable':
      return 4
    case 'payment-refused':
    case 'unresolved':
      return 5
    case 'not-kept':
      return 6
  }
}

/** Why a price is too high, in words. */
export const toDearness = ({ price, asset, maxPrice, outstanding }: Extract<Outcome, { is: 'too-dear' }>): string => {
  const show = (amount: MicroUsd): string => showAmount(amount, asset)
  const more = outstanding > 0n ? `, and ${show(outstanding)} that was signed for this shop before counts too` : ''
  return `it costs ${show(price)}${more}: that is more than the limit of ${show(maxPrice)}, which --max-usd raises`
}
