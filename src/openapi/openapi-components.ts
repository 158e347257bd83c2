import { z } from 'zod'
import { identifierRule, retryRule } from '../core/buying-rules.ts'
import { evmAddress, microUsdText, uri } from '../core/formats.ts'
import { documents, toJsonSchema } from '../core/json-schema.ts'
import { type ProblemKind, problemKinds } from '../core/problem-kinds.ts'
import type { Offer } from '../offers/offer.ts'
import { toProblemComponents } from './problem-responses.ts'

/** A problem document (RFC 9457), extended by what a buyer needs to know about the payment. */
const problemSchema = z
  .object({
    type: uri.describe('A page that explains this kind of problem'),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().describe('Names this request; quote it in a report'),
    errors: z
      .array(
        z.object({
          pointer: z.string().optional().describe('JSON pointer into the body'),
          parameter: z.string().optional().describe('Name of the query parameter'),
          detail: z.string(),
        }),
      )
      .optional(),
    charged: z
      .union([z.boolean(), z.literal('unknown')])
      .optional()
      .describe('On paid routes: what happened to the money'),
    retryable: z.boolean().describe('Whether the identical request may succeed after Retry-After'),
  })
  .register(documents, {
    name: 'Problem',
    example: {
      type: 'https://shop.example/problems/invalid-input',
      title: 'The request does not match the schema',
      status: 400,
      detail: '1 field is wrong; nothing was charged and the same signature stays valid',
      instance: 'urn:request:0f8fad5b-d9cb-469f-a165-70867728950e',
      errors: [{ pointer: '/urls/3', detail: 'must start with https://' }],
      charged: false,
      retryable: false,
    },
  })

/** The terms of x402 version 2: the body of a 402 response, and, in base64, its header. */
const paymentRequiredSchema = z
  .object({
    x402Version: z.literal(2),
    error: z.string().optional(),
    resource: z.object({ url: uri, description: z.string().optional(), mimeType: z.string().optional() }),
    accepts: z.array(
      z.object({
        scheme: z.literal('exact'),
        network: z.string(),
        amount: microUsdText.describe('Atomic units of the asset, which are millionths of a dollar'),
        asset: evmAddress,
        payTo: evmAddress,
        maxTimeoutSeconds: z.int(),
        extra: z.record(z.string(), z.unknown()),
      }),
    ),
    extensions: z.record(z.string(), z.unknown()).optional().describe('Echo these unchanged in the payment'),
  })
  .register(documents, {
    name: 'PaymentRequired',
    example: {
      x402Version: 2,
      error: 'payment_required',
      resource: { url: 'https://shop.example/skills/x402-buyer/raw', mimeType: 'text/plain' },
      accepts: [
        {
          scheme: 'exact',
          network: 'eip155:8453',
          amount: '100000',
          asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
          payTo: '0x1111111111111111111111111111111111111402',
          maxTimeoutSeconds: 220,
          extra: { name: 'USD Coin', version: '2' },
        },
      ],
    },
  })

/** The components of the named schemas, with their examples. */
function toSchemas(schemas: readonly z.ZodType[]) {
  const named = schemas.flatMap((schema) => {
    const { name, example } = documents.get(schema) ?? {}
    return name ? [[name, { ...toJsonSchema(schema), ...(example !== undefined && { examples: [example] }) }]] : []
  })
  return Object.fromEntries(named)
}

const base64Json = (description: string) => ({ description, schema: { type: 'string', contentEncoding: 'base64' } })
const paymentRequiredHeader = base64Json('The terms (a PaymentRequired object) as base64 over JSON')

/** The components that operations refer to: schemas of documents, the 402 response and the problems. */
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
      ...base64Json(
        `A signed x402 version 2 payment as base64 over JSON; without it the answer is 402. ${retryRule} ${identifierRule}`,
      ),
    },
  },
  headers: {
    PaymentResponse: base64Json(
      'The settlement, with its transaction and the signed receipt, as base64 over JSON; `success` is false where it was refused, or is not known yet',
    ),
    Tag: { description: 'Sent as If-None-Match by whoever fetches again what they have', schema: { type: 'string' } },
    Digest: { description: 'SHA-256 of the product (RFC 9530)', schema: { type: 'string' } },
    Charged: {
      description: '`false` where the wallet owns the product, and nothing was charged; absent otherwise',
      schema: { type: 'string', enum: ['false'] },
    },
    ReceiptId: { description: 'The receipt is at /api/receipts/{id}.json', schema: { type: 'string' } },
  },
  responses: {
    PaymentRequired: {
      description: `${problemKinds['payment-required'].advice}\n\n\`payment-already-used\`: ${problemKinds['payment-already-used'].advice}`,
      headers: {
        'PAYMENT-REQUIRED': { ...paymentRequiredHeader, required: true },
        'PAYMENT-RESPONSE': { $ref: '#/components/headers/PaymentResponse' },
      },
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
    OtherVersion: {
      description: 'If-Match or If-Unmodified-Since named another version than the one that is here',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
    RangeNotSatisfiable: {
      description: 'The range begins beyond the end; Content-Range says how long the file is',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
    ...toProblemComponents(problems),
  },
})
