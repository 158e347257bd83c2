import type { PaymentRow } from '../ledger/payment-row.ts'
import { buysSame } from './buys-same.ts'
import { challenge, type Outcome, type PurchaseRequest } from './outcome.ts'

/**
 * Why another authorization gets nothing under the `payment-identifier` of an earlier purchase; undefined when it may
 * fetch that purchase.
 */
export function refuseNamed(request: PurchaseRequest, earlier: PaymentRow): Outcome | undefined {
  // An identifier is for one purchase on one network: a purchase with test money must not be fetched on another.
  const isOther = earlier.network !== request.payment.accepted.network || !buysSame(earlier, request)
  if (isOther) return challenge('payment_identifier_already_used')
  return earlier.state === 'settled' ? undefined : { is: 'in-progress' }
}
