import type { PaymentRow } from './ledger.ts'
import type { Payment } from './payment.ts'

/** Days a delivered product can be fetched again. */
export const redeliveryDays = 7
const withoutSecret = { deliveries: 5, forMs: 10 * 60 * 1000 }

/**
 * Whether the request shows more than what is public on chain: the token of the 402 that was paid, or the buyer's own
 * identifier. A purchase made with neither has nothing to show, and belongs to whoever is answered first.
 */
export function isFromBuyer(row: PaymentRow, payment: Payment, delivery: number): boolean {
  if (row.token_hash === null && row.identifier_hash === null) return delivery === 1
  const isToken = row.token_hash !== null && payment.tokenHash === row.token_hash
  return isToken || (row.identifier_hash !== null && payment.identifierHash === row.identifier_hash)
}

/**
 * Whether a settled purchase may be delivered (again). Its authorization and signature are public on chain by now, so
 * after the first delivery the buyer shows something that is not: the token of our 402, or its own identifier. A
 * purchase made with neither is delivered a few more times for a few minutes.
 */
export function mayRedeliver(row: PaymentRow, payment: Payment, nowMs: number): boolean {
  if (row.body === null && row.body_file === null) return false
  if (row.deliveries === 0) return true
  if (row.token_hash !== null) return payment.tokenHash === row.token_hash
  if (row.identifier_hash !== null) return payment.identifierHash === row.identifier_hash
  return row.deliveries < withoutSecret.deliveries && nowMs - (row.settled_at ?? 0) < withoutSecret.forMs
}
