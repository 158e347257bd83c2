import * as z from 'zod/mini'
import { network } from '../core/chain-constants.ts'
import { parseBase64Json } from './parse-json.ts'

/** What `PAYMENT-RESPONSE` proves: a transaction that can be looked up, or the reason why it proves nothing. */
export type PaymentProof = { is: 'settled'; transaction: string } | { is: 'unproven'; detail: string }

const settlement = z.object({ success: z.boolean(), transaction: z.string(), network: z.string() })

/** Reads the `PAYMENT-RESPONSE` header of a delivered product. */
export function readProof(headers: Headers): PaymentProof {
  const header = headers.get('payment-response')
  if (header === null) return { is: 'unproven', detail: 'the answer carries no PAYMENT-RESPONSE' }
  const read = settlement.safeParse(parseBase64Json(header))
  if (!read.success) return { is: 'unproven', detail: 'PAYMENT-RESPONSE could not be read' }
  const { success, transaction, network: settledOn } = read.data
  if (!success) return { is: 'unproven', detail: 'PAYMENT-RESPONSE says that the payment did not settle' }
  if (settledOn !== network) return { is: 'unproven', detail: 'PAYMENT-RESPONSE names another network' }
  if (!/^0x[0-9a-fA-F]{64}$/.test(transaction))
    return { is: 'unproven', detail: 'PAYMENT-RESPONSE names no transaction' }
  return { is: 'settled', transaction }
}
