import type { Payment } from '../wire/payment.ts'
import type { PaymentRow } from './payment-row.ts'

/** Days a delivered product can be fetched again. */
export const redeliveryDays = 7
/** How long a fresh signature of the wallet fetches a delivered product, after somebody asked for it without proof. */
export const proofWindowMs = 10 * 60 * 1000
/** How often a purchase that was made without a token is given out by such proofs. */
const withoutToken = { deliveries: 5, forMs: proofWindowMs }

/**
 * What a settled purchase answers to its own payment, which is public on the chain by now and proves nothing:
 * - `proven`: the request shows the random token of the 402 that was paid, which only the buyer has
 * - `unproven`: it may be the buyer, who has to prove the wallet with a fresh signature
 * - `over`: there is nothing to fetch any more
 */
export type Claimed = 'proven' | 'unproven' | 'over'

/** Whether the request may have the product of a settled purchase. The `payment-identifier` is a name and no secret. */
export function judgeClaim(row: PaymentRow, payment: Payment, nowMs: number): Claimed {
  if (row.body === null && row.body_file === null) return 'over'
  if (row.token_hash !== null && payment.tokenHash === row.token_hash) return 'proven'
  if (row.deliveries === 0) return 'unproven'
  const isRecent = nowMs - (row.settled_at ?? 0) < withoutToken.forMs
  return row.token_hash === null && isRecent && row.deliveries < withoutToken.deliveries ? 'unproven' : 'over'
}
