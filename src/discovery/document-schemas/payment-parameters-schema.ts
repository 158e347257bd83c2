import { z } from 'zod'
import { evmAddress, microUsdText } from './formats.ts'

/** The terms of a product as the catalog and the manifest repeat them (spec: Payment parameters object). */
export const paymentParametersSchema = z.object({
  scheme: z.literal('exact'),
  network: z.string().describe('CAIP-2 id'),
  asset: evmAddress,
  assetName: z.literal('USDC'),
  payTo: evmAddress,
  priceUsd: z.number().min(0),
  priceMicroUsd: microUsdText.describe('Price in millionths of a dollar; the minimum when it depends on the request'),
})

/** See paymentParametersSchema. */
export type PaymentParameters = z.output<typeof paymentParametersSchema>
