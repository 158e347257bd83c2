import { z } from 'zod'
import type { SignedPayment } from './signed-payments.ts'

const Answer = z.looseObject({
  isValid: z.boolean().optional(),
  invalidReason: z.string().optional(),
  success: z.boolean().optional(),
  errorReason: z.string().optional(),
  transaction: z.string().optional(),
})

/** Asks a facilitator over HTTP as a shop does, and returns its answer for a payment with the terms that it accepts. */
export async function askFacilitator(url: string, operation: 'verify' | 'settle', { payload }: SignedPayment) {
  const response = await fetch(`${url}/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ x402Version: 2, paymentPayload: payload, paymentRequirements: payload.accepted }),
  })
  return { status: response.status, ...Answer.parse(await response.json()) }
}
