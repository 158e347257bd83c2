import type { MicroUsd } from '../../core/money.ts'
import type { Problem } from '../../core/problem.ts'
import type { Offer } from '../../offers/offer.ts'
import type { PaymentRow } from '../ledger/payment-row.ts'
import type { Receipt } from '../ledger/receipt-schema.ts'
import type { Payment } from '../wire/payment.ts'
import type { Work } from './make-product.ts'

/** One request with a readable payment, and with valid input unless it says otherwise. */
export interface PurchaseRequest {
  offer: Offer
  price: MicroUsd
  /** The concrete path, for receipts and statistics. */
  path: string
  /** Hash of the offer and the validated input, which says what the payment buys. */
  fingerprint: string
  /** The same hash of the input as it was sent, which an upgrade may validate differently, or refuse. */
  sent: string
  /** Whether the input is refused: nothing new is begun for it, and `fingerprint` is the hash of the input as sent. */
  isRefused?: boolean
  payment: Payment
  /** Makes the product; undefined while the product is only declared, and when the input is refused. */
  make: Work | undefined
  /** Aborted when the buyer's connection is gone; for a purchase that copies share, when those of all are gone. */
  gone: AbortSignal
  /** The address of the request, as rate limits count it; undefined when it is not known. */
  caller: string | undefined
  /** The id that the response and the log give this request; undefined when it has none. */
  requestId: string | undefined
  /** When the request arrived, in milliseconds. */
  arrivedAt: number
}

/** How a purchase stands when the request must be answered. Every copy of the request gets the same. */
export type Outcome =
  /**
   * Settled, and the product may be delivered. `receipt` is present when this purchase has just written it. When the
   * row is of another payment, that one bought the product before, and the payment of this request is never settled.
   */
  | { is: 'bought'; row: PaymentRow; receipt?: Receipt }
  /** 402: the wallet owns an earlier version, and nothing was charged. */
  | { is: 'changed'; owned: PaymentRow }
  /** 402: no money can have moved for this request. `settling` tells that settlement itself was refused. */
  | { is: 'challenge'; reason: string; settling: boolean }
  /** 409: another process, or another request, is at work with this signature. */
  | { is: 'in-progress' }
  /** 503: money may have moved. */
  | { is: 'pending' }
  /** 403: this payment was charged, and everybody can read it on the chain: the wallet that paid has to prove itself. */
  | { is: 'unproven' }
  /** 409: this payment paid us for a purchase that is not known any more, and it was less than this product costs. */
  | { is: 'unmatched' }
  /** 410: this payment was charged and its product was delivered, or is no longer kept. */
  | { is: 'over' }
  /** Refused, not charged. */
  | { is: 'refused'; problem: Problem }

/** 402 with fresh terms. */
export const challenge = (reason: string, settling = false): Outcome => ({ is: 'challenge', reason, settling })

/** An error that cost nothing. */
export const refused = (problem: Problem): Outcome => ({ is: 'refused', problem })

/** For refused input whose payment has bought nothing. */
export const notTaken = challenge('invalid_input')
