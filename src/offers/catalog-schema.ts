import { z } from 'zod'
import { atomicText, count, evmAddress, microUsdText, priceText, uri } from '../core/formats.ts'
import { documents } from '../core/json-schema.ts'

/** The terms of a product as the catalog and the manifest repeat them (spec: Payment parameters object). */
export const paymentParametersSchema = z.object({
  scheme: z.literal('exact'),
  network: z.string().describe('CAIP-2 id'),
  asset: evmAddress,
  assetName: z.literal('USDC'),
  payTo: evmAddress,
  priceUsd: z.number().min(0),
  priceMicroUsd: microUsdText.describe('Price in millionths of a dollar; the minimum when it depends on the request'),
  alsoAccepts: z
    .array(
      z.object({
        network: z.string().describe('Absent where it is the same').exactOptional(),
        asset: evmAddress,
        assetName: z.string(),
        amount: atomicText.describe('Atomic units of the asset'),
      }),
    )
    .describe('The same price in other tokens, or on other networks; absent where only USDC is taken')
    .exactOptional(),
})

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

/** Everything for sale, in one document (spec: Master catalog). */
export const catalogSchema = z
  .object({
    version: z.string(),
    description: z.string().optional(),
    source: uri.describe('Where this document is published'),
    wallet: evmAddress.describe('Receives every payment'),
    currency: z.literal('USDC'),
    network: z.string(),
    facilitator: uri,
    counts: z.object({ skills: count, hostedApis: count, content: count, total: count }),
    skills: z.array(entry.extend({ kind: z.literal('skill'), installUrl: uri, installCommand: z.string() })),
    hostedApis: z.array(
      entry.extend({
        kind: z.literal('hostedApi'),
        bodyShape: z.record(z.string(), z.string()).optional().describe('Fields of the JSON body, each in words'),
      }),
    ),
    content: z.array(entry.extend({ kind: z.literal('content') })),
    pointers: z.record(z.string(), z.string()).describe('Where everything else is; the names are stable'),
  })
  .register(documents, { name: 'Catalog' })

/** See catalogSchema. */
export type Catalog = z.output<typeof catalogSchema>
