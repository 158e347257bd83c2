import type { z } from 'zod'
import { documents, toJsonSchema } from '../core/json-schema.ts'
import { type ProblemKind, problemKinds } from '../core/problem-kinds.ts'
import type { Offer } from '../offers/offer.ts'
import { paymentRequiredSchema } from './payment-required-schema.ts'
import { toProblemComponents } from './problem-responses.ts'
import { problemSchema } from './problem-schema.ts'

/** The named ones among schemas, each once, with their examples. */
function toSchemas(schemas: readonly z.ZodType[]) {
  const named = schemas.flatMap((schema) => {
    const { name, example } = documents.get(schema) ?? {}
    return name ? [[name, { ...toJsonSchema(schema), ...(example !== undefined && { examples: [example] }) }]] : []
  })
  return Object.fromEntries(named)
}

const base64Json = (description: string) => ({ description, schema: { type: 'string', contentEncoding: 'base64' } })
const paymentRequiredHeader = base64Json('The terms (a PaymentRequired object) as base64 over JSON')

/** What operations refer to: schemas of every document, the 402, the problems. */
export const toOpenApiComponents = (
  schemas: readonly z.ZodType[],
  offers: readonly Offer[],
  problems: readonly ProblemKind[],
) => ({
  schemas: {
    ...toSchemas([...schemas, paymentRequiredSchema, problemSchema]),
    ...Object.fromEntries(offers.flatMap(({ answer }) => (answer ? [[answer.name, toJsonSchema(answer.schema)]] : []))),
  },
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
    Methods: {
      description: 'The methods of this address; for pages of other origins also what they may send',
      headers: {
        Allow: { description: 'What is answered here', schema: { type: 'string' } },
        'Access-Control-Allow-Methods': { description: 'The same, for browsers', schema: { type: 'string' } },
        'Access-Control-Allow-Headers': { description: 'What may be sent', schema: { type: 'string' } },
      },
    },
    Unchanged: { description: 'If-None-Match named what is here: nothing has changed' },
    RangeNotSatisfiable: {
      description: 'The range begins beyond the end; Content-Range says how long the file is',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
    ...toProblemComponents(problems),
  },
})
