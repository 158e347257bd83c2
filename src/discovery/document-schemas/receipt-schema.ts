import { z } from 'zod'
import type { Receipt } from '../../payments/receipt.ts'
import { dateTime, evmAddress, microUsdText } from './formats.ts'

/** Proof of one settled sale. */
export const receiptSchema = z.object({
  id: z.string().regex(/^r_[A-Za-z0-9_-]+$/),
  path: z.string().describe('What was bought'),
  product: z.string(),
  amountMicroUsd: microUsdText,
  asset: evmAddress,
  network: z.string(),
  payTo: evmAddress,
  payer: evmAddress,
  transaction: z.string().describe('Hash of the settling transaction'),
  settledAt: dateTime,
  reversedAt: dateTime
    .describe('When the chain turned out to have lost the transfer; absent while it stands')
    .optional(),
}) satisfies z.ZodType<Receipt>
