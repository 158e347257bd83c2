import { network } from '../../core/chain-constants.ts'

export type Settled = { payer: string; transaction: string; amount: string }
export type Unsettled = { payer: string; errorReason: string }

/** The settle response of x402 v2. */
export function toSettleResponse(settlement: Settled | Unsettled) {
  const success = 'transaction' in settlement
  return { success, transaction: '', network, ...settlement }
}

/** The same as the `PAYMENT-RESPONSE` header: in base64. */
export const toPaymentResponse = (settlement: Settled | Unsettled): string =>
  Buffer.from(JSON.stringify(toSettleResponse(settlement))).toString('base64')
