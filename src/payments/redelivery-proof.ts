import type { PaymentRow } from './ledger.ts'
import type { Payment } from './payment.ts'

/** Days a delivered product can be fetched again. */
export const redeliveryDays = 7
const withoutSecret = { deliveries: 5, forMs: 10 * 60 * 1000 }

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
