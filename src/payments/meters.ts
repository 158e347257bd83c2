import type { SaleEvent } from './settlement/sale-event.ts'

/** Callbacks for metrics: called as the shop quotes, asks facilitators and settles. */
export interface PaymentMeters {
  /** A 402 was issued for a product. */
  quoted(offerId: string): void
  /** A facilitator answered or timed out. `answer` is the kind of its answer; `seconds` is how long it took. */
  asked(facilitator: string, operation: 'verify' | 'settle', answer: string, seconds: number): void
  /** A payment was settled, failed or reversed, or its end is not known yet. */
  told(event: SaleEvent): void
}

/** Meters that count nothing. */
export const noMeters: PaymentMeters = { quoted() {}, asked() {}, told() {} }
