import type { PaymentRow } from '../ledger/payment-row.ts'
import type { PurchaseRequest } from './outcome.ts'

/**
 * Whether a payment buys what a request asks for: by the same validated input, or in the same words, whatever an upgrade
 * has come to make of them. What was paid for is fetched with the request that paid for it.
 */
export const buysSame = (
  row: Pick<PaymentRow, 'fingerprint' | 'sent'>,
  { fingerprint, sent }: Pick<PurchaseRequest, 'fingerprint' | 'sent'>,
): boolean => row.fingerprint === fingerprint || (row.sent ?? row.fingerprint) === sent
