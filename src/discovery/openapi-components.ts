import { z } from 'zod'
import { type ProblemKind, problemKinds } from '../problem-kinds.ts'
import { documentExamples } from './document-examples.ts'
import { catalogSchema } from './document-schemas/catalog-schema.ts'
import { crawlerCatalogSchema } from './document-schemas/crawler-catalog-schema.ts'
import { cronHealthSchema } from './document-schemas/cron-health-schema.ts'
import { diagnosisSchema } from './document-schemas/diagnosis-schema.ts'
import { playDocuments } from './document-schemas/game/play-documents.ts'
import { storeDocuments } from './document-schemas/game/store-documents.ts'
import { livenessSchema, readinessSchema } from './document-schemas/health-schemas.ts'
import { paymentRequiredSchema } from './document-schemas/payment-required-schema.ts'
import { postsExportSchema } from './document-schemas/posts-export-schema.ts'
import { problemSchema } from './document-schemas/problem-schema.ts'
import { receiptSchema } from './document-schemas/receipt-schema.ts'
import { searchResultSchema } from './document-schemas/search-result-schema.ts'
import { skillsManifestSchema } from './document-schemas/skills-manifest-schema.ts'
import { statisticsSchema } from './document-schemas/statistics-schema.ts'
import { toolServerSchema } from './document-schemas/tool-server-schema.ts'
import { transcriptHitsSchema } from './document-schemas/transcript-hits-schema.ts'
import { voicesSchema } from './document-schemas/voices-schema.ts'
import { toJsonSchema } from './json-schema.ts'
import { toProblemComponents } from './problem-responses.ts'

const documents: Readonly<Record<string, z.ZodType>> = {
  Catalog: catalogSchema,
  SkillsManifest: skillsManifestSchema,
  Statistics: statisticsSchema,
  CronHealth: cronHealthSchema,
  SearchResult: searchResultSchema,
  TranscriptHits: transcriptHitsSchema,
  Voices: voicesSchema,
  Receipt: receiptSchema,
  CrawlerCatalog: crawlerCatalogSchema,
  Diagnosis: diagnosisSchema,
  PostsExport: postsExportSchema,
  PaymentRequired: paymentRequiredSchema,
  Problem: problemSchema,
  Liveness: livenessSchema,
  Readiness: readinessSchema,
  ToolServer: toolServerSchema,
  JsonRpcMessage: z.looseObject({ jsonrpc: z.literal('2.0') }),
  ...storeDocuments,
  ...playDocuments,
}

const toSchema = (name: string, schema: z.ZodType) => {
  const example = documentExamples[name]
  return { ...toJsonSchema(schema), ...(example !== undefined && { examples: [example] }) }
}

const base64Json = (description: string) => ({ description, schema: { type: 'string', contentEncoding: 'base64' } })
const paymentRequiredHeader = base64Json('The terms (a PaymentRequired object) as base64 over JSON')

/** What operations refer to: schemas of every document, the 402, the problems. */
export const toOpenApiComponents = (problems: readonly ProblemKind[]) => ({
  schemas: Object.fromEntries(Object.entries(documents).map(([name, schema]) => [name, toSchema(name, schema)])),
  parameters: {
    PaymentSignature: {
      name: 'PAYMENT-SIGNATURE',
      in: 'header',
      required: false,
      ...base64Json('A signed x402 version 2 payment as base64 over JSON; without it the answer is 402'),
    },
  },
  headers: {
    PaymentResponse: base64Json('The settlement, with its transaction, as base64 over JSON'),
    ReceiptId: { description: 'The receipt is at /api/receipts/{id}.json', schema: { type: 'string' } },
  },
  responses: {
    PaymentRequired: {
      description: `${problemKinds['payment-required'].advice}\n\n\`payment-already-used\`: ${problemKinds['payment-already-used'].advice}`,
      headers: { 'PAYMENT-REQUIRED': { ...paymentRequiredHeader, required: true } },
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/PaymentRequired' } },
        'text/html': { schema: { type: 'string' } },
      },
    },
    RangeNotSatisfiable: {
      description: 'The range begins beyond the end; Content-Range says how long the file is',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
    ...toProblemComponents(problems),
  },
})
