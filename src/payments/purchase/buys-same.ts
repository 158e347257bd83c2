import type { PaymentRow } from '../ledger/payment-row.ts'
import type { PurchaseRequest } from './outcome.ts'

/**
 * Whether a payment is for what a request asks for: the same validated input, or the same input as it was sent, which
 * an upgrade may validate differently. So a purchase can always be fetched with the request that paid for it.
 */
export const buysSame = (
  row: Pick<PaymentRow, 'fingerprint' | 'sent'>,
  { fingerprint, sent }: Pick<PurchaseRequest, 'fingerprint' | 'sent'>,
): boolean => row.fingerprint === fingerprint || (row.sent ?? row.fingerprint) === sent
