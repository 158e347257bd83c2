import type { SaleEvent } from './settlement/sale-event.ts'

/** Told of what the shop does as it happens, for whoever counts and times it. */
export interface PaymentMeters {
  /** A 402 was made out for a product. */
  quoted(offerId: string): void
  /** A facilitator answered, or was given up; in seconds. */
  asked(facilitator: string, operation: 'verify' | 'settle', answer: string, seconds: number): void
  /** What became of a payment. */
  told(event: SaleEvent): void
}

/** For a shop that nobody watches. */
export const noMeters: PaymentMeters = { quoted() {}, asked() {}, told() {} }
