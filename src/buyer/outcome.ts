import type { MicroUsd } from '../money.ts'
import type { PaymentProof } from './payment-proof.ts'
import type { PendingPurchase } from './pending-purchases.ts'
import type { ShopProblem } from './read-problem.ts'
import type { Terms } from './terms.ts'

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
    }
  | { is: 'free'; delivered: Delivered }
  | { is: 'refused'; status: number; problem: ShopProblem }
  | { is: 'unreachable'; detail: string }
  | { is: 'redirected'; location: string }
  | { is: 'not-worked'; detail: string; record: string }
  | { is: 'no-key'; terms: Terms; price: MicroUsd }
  | { is: 'too-dear'; price: MicroUsd; maxPrice: MicroUsd; pending: boolean }
  | { is: 'unpayable'; detail: string }
  | { is: 'payment-refused'; reason: string; payer: string }
  | { is: 'unresolved'; detail: string; record: string }
  | { is: 'not-kept'; detail: string; paid: boolean; record: string }

/** The status the process ends with; documented in `usage`. */
export function toExitCode({ is }: Outcome): number {
  switch (is) {
    case 'bought':
    case 'free':
      return 0
    case 'refused':
    case 'unreachable':
    case 'redirected':
    case 'not-worked':
      return 1
    case 'no-key':
      return 2
    case 'too-dear':
      return 3
    case 'unpayable':
    case 'payment-refused':
      return 4
    case 'unresolved':
      return 5
    case 'not-kept':
      return 6
  }
}
