import type { MicroUsd } from '../core/money.ts'
import type { BoughtRecord } from './bought-records.ts'
import type { Exposure } from './exposure.ts'
import type { PaymentProof } from './payment-proof.ts'
import type { PendingPurchase } from './pending-purchases.ts'
import type { ShopProblem } from './read-problem.ts'
import type { Terms } from './terms.ts'
import { showAmount } from './token.ts'

/** A product that has been put where it belongs. */
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
      /** Finished from a signature that an earlier run had made. */
      resumed: boolean
      /** The shop says that the wallet owned it, and that this signature is not charged. */
      isOwned: boolean
      /** Signed for the same request and never delivered; it can be paid besides. */
      risk: Exposure[]
    }
  /** An earlier run had bought it, and the signature of then fetched it again. */
  | { is: 'again'; before: BoughtRecord; delivered: Delivered; receiptUrl: string | undefined; record: string }
  | { is: 'free'; delivered: Delivered }
  | { is: 'refused'; status: number; problem: ShopProblem }
  | { is: 'unreachable'; detail: string }
  | { is: 'redirected'; location: string }
  | { is: 'no-key'; terms: Terms; price: MicroUsd }
  | {
      is: 'too-dear'
      price: MicroUsd
      /** The token that it costs. */
      asset: string
      maxPrice: MicroUsd
      /** What earlier signatures count against the limit besides. */
      outstanding: MicroUsd
      /** What was signed for this very request; empty when nothing was. */
      risk: Exposure[]
    }
  | { is: 'unpayable'; detail: string }
  /** A signature was sent, and then the shop said 402. */
  | { is: 'payment-refused'; reason: string; payer: string; risk: Exposure[]; record: string }
  /** A signature was sent, and no product came. */
  | { is: 'unresolved'; detail: string; risk: Exposure[]; record: string }
  /** `record` is undefined for what was free. */
  | { is: 'not-kept'; detail: string; risk: Exposure[]; record: string | undefined }

/** The status the process ends with; documented in `usage`. */
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
