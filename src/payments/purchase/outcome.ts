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
  /** Hash of the offer and the validated input: what the payment buys. */
  fingerprint: string
  /** The same hash of its input as it was sent, which an upgrade may come to read in another way, or not at all. */
  sent: string
  /** Of input that is refused: nothing is begun for it, and `fingerprint` is of what was sent. */
  isRefused?: boolean
  payment: Payment
  /** Makes the product; undefined while it is only declared. */
  make: Work | undefined
  /** Aborted when the buyer's connection is gone. */
  gone: AbortSignal
  /** The address that asks, as limits count it; undefined when nobody told. */
  caller: string | undefined
  /** As the answer and the log name this request; undefined when nobody named it. */
  requestId: string | undefined
  /** When it came, in milliseconds. */
  arrivedAt: number
}

/** How a purchase stands when the request must be answered. Every copy of the request gets the same. */
export type Outcome =
  /**
   * Settled, and the product may be delivered. `receipt`: where this very purchase wrote it. A row of another payment
   * than the one that came now was bought before, and what came now is never settled.
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
  /** 409: this payment paid us, for something that is not known any more, and less than this costs. */
  | { is: 'unmatched' }
  /** 410: this payment was charged and its product was delivered, or is no longer kept. */
  | { is: 'over' }
  /** Refused, not charged. */
  | { is: 'refused'; problem: Problem }

/** 402 with fresh terms. */
export const challenge = (reason: string, settling = false): Outcome => ({ is: 'challenge', reason, settling })

/** An error that cost nothing. */
export const refused = (problem: Problem): Outcome => ({ is: 'refused', problem })

/** Of input that is refused: what came with it bought nothing. */
export const notTaken = challenge('invalid_input')
