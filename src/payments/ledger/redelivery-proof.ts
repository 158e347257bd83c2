import type { Payment } from '../wire/payment.ts'
import type { PaymentRow } from './payment-row.ts'

/** Days a delivered product can be fetched again. */
export const redeliveryDays = 7
/** How long a fresh signature of the wallet fetches a paid product after a request without proof, in milliseconds. */
export const proofWindowMs = 10 * 60 * 1000
/** The limits of such proofs for a purchase that was made without a token. */
const withoutToken = { deliveries: 5, forMs: proofWindowMs }

/**
 * How a request is treated that carries the payment of a settled purchase. That payment is public on the chain by now
 * and proves nothing by itself:
 * - `proven`: the request shows the random token of the 402 that was paid, which only the buyer has
 * - `unproven`: the request may come from the buyer, who has to prove the wallet with a fresh signature
 * - `over`: there is nothing to fetch any more
 */
export type Claimed = 'proven' | 'unproven' | 'over'

/** Whether a request gets the product of a settled purchase. A `payment-identifier` is no secret and proves nothing. */
export function judgeClaim(row: PaymentRow, payment: Payment, nowMs: number): Claimed {
  if (row.body === null && row.body_file === null) return 'over'
  if (row.token_hash !== null && payment.tokenHash === row.token_hash) return 'proven'
  if (row.deliveries === 0) return 'unproven'
  const isRecent = nowMs - (row.settled_at ?? 0) < withoutToken.forMs
  return row.token_hash === null && isRecent && row.deliveries < withoutToken.deliveries ? 'unproven' : 'over'
}
