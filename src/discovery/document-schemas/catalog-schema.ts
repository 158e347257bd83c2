import { z } from 'zod'
import { count, evmAddress, priceText, uri } from './formats.ts'
import { paymentParametersSchema } from './payment-parameters-schema.ts'

const entry = z.object({
  slug: z.string(),
  title: z.string(),
  excerpt: z.string(),
  price: priceText.describe('For people; a trailing plus marks a minimum'),
  previewUrl: uri.describe('Free page that describes the product'),
  buyUrl: uri.describe('Answers 402 with the exact terms until it is paid'),
  method: z.enum(['GET', 'POST']),
  mimeType: z.string(),
  x402: paymentParametersSchema,
})

/** An entry of the lane `skills`. */
const skillEntrySchema = entry.extend({
  kind: z.literal('skill'),
  installUrl: uri,
  installCommand: z.string(),
})

/** An entry of the lane `hostedApis`. */
const hostedApiEntrySchema = entry.extend({
  kind: z.literal('hostedApi'),
  bodyShape: z.record(z.string(), z.string()).optional().describe('Fields of the JSON body, each in words'),
})

/** An entry of the lane `content`. */
const contentEntrySchema = entry.extend({ kind: z.literal('content') })

/** Everything for sale, in one document (spec: Master catalog). */
export const catalogSchema = z.object({
  version: z.string(),
  description: z.string().optional(),
  source: uri.describe('Where this document is published'),
  wallet: evmAddress.describe('Receives every payment'),
  currency: z.literal('USDC'),
  network: z.string(),
  facilitator: uri,
  counts: z.object({ skills: count, hostedApis: count, content: count, total: count }),
  skills: z.array(skillEntrySchema),
  hostedApis: z.array(hostedApiEntrySchema),
  content: z.array(contentEntrySchema),
  pointers: z.record(z.string(), z.string()).describe('Where everything else is; the names are stable'),
})

/** See catalogSchema. */
export type Catalog = z.output<typeof catalogSchema>
