import { z } from 'zod'
import { count, dateTime, evmAddress, priceText, uri, uriTemplate } from '../core/formats.ts'
import { documents } from '../core/json-schema.ts'
import { paymentParametersSchema } from './catalog-schema.ts'

/** The skills alone, with what an installer needs (spec: Skills manifest). */
export const skillsManifestSchema = z
  .object({
    version: z.string(),
    description: z.string().optional(),
    source: uri,
    count: count.describe('Length of items'),
    currency: z.literal('USDC'),
    network: z.string(),
    payTo: evmAddress,
    installPattern: uriTemplate.describe('Replace :slug'),
    previewPattern: uriTemplate.describe('Replace :slug'),
    items: z.array(
      z.object({
        slug: z.string(),
        title: z.string(),
        excerpt: z.string().nullable().optional(),
        price: priceText,
        previewUrl: uri,
        rawUrl: uri.describe('The markdown itself; answers 402 until it is paid'),
        installUrl: uri,
        installCommand: z.string(),
        publishedAt: dateTime.nullable().optional(),
        version: z.string().optional(),
        sizeBytes: count.optional(),
        digest: z
          .string()
          .regex(/^sha256:[0-9a-f]{64}$/)
          .describe('Of the markdown that is delivered')
          .optional(),
        x402: paymentParametersSchema,
      }),
    ),
  })
  .register(documents, { name: 'SkillsManifest' })

/** See skillsManifestSchema. */
export type SkillsManifest = z.output<typeof skillsManifestSchema>
