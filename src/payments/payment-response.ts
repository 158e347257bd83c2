import { network } from '../chain-constants.ts'

type Settled = { payer: string; transaction: string; amount: string }
type Unsettled = { payer: string; errorReason: string }

/** The `PAYMENT-RESPONSE` header of x402 v2: base64 of a settle response. */
export function toPaymentResponse(settlement: Settled | Unsettled): string {
  const success = 'transaction' in settlement
  const response = { success, transaction: '', network, ...settlement }
  return Buffer.from(JSON.stringify(response)).toString('base64')
}
