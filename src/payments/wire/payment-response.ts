import type { X402Receipt } from '../proof/receipt-signer.ts'

export type Settled = { network: string; payer: string; transaction: string; amount: string }
export type Unsettled = { network: string; payer: string; errorReason: string }

/** The settlement response of x402 v2, with the signed receipt as the `offer-receipt` extension. */
export function toSettleResponse(settlement: Settled | Unsettled, receipt?: X402Receipt) {
  const success = 'transaction' in settlement
  const extensions = receipt && { 'offer-receipt': { info: { receipt } } }
  return { success, transaction: '', ...settlement, ...(extensions && { extensions }) }
}

/** The same as the value of the `PAYMENT-RESPONSE` header: JSON in base64. */
export const toPaymentResponse = (settlement: Settled | Unsettled, receipt?: X402Receipt): string =>
  Buffer.from(JSON.stringify(toSettleResponse(settlement, receipt))).toString('base64')
