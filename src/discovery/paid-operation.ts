import type { Offer } from '../../functions/offer.ts'
import { priceText } from '../../functions/price-text.ts'
import { type MicroUsd, toDisplay } from '../money.ts'
import type { ProblemKind } from '../problem-kinds.ts'
import { toJsonSchema } from './json-schema.ts'
import { json, text } from './operation-contents.ts'
import { toPathParameters } from './path-parameters.ts'
import { toProblemResponses } from './problem-responses.ts'

/** What every paid route may answer besides 402. */
export const paidProblems: readonly ProblemKind[] = [
  'payment-in-progress',
  'payment-unmatched',
  'wallet-proof-required',
  'already-delivered',
  'rate-limited',
  'internal-error',
  'work-failed',
  'settlement-unknown',
  'facilitator-unavailable',
  'busy',
  'not-available-yet',
]
const inputProblems: readonly ProblemKind[] = ['invalid-input']
const bodyProblems: readonly ProblemKind[] = ['invalid-input', 'body-too-large', 'unsupported-media-type']

/** Answers that are more than plain text or plain bytes, by slug. */
const answers: Readonly<Record<string, object>> = {
  'bot-catalog': { ...json('CrawlerCatalog'), ...text },
  'session-status': json('Diagnosis'),
  'posts-export': json('PostsExport'),
}

const sixPlaces = (price: MicroUsd): string =>
  `${price / 1_000_000n}.${(price % 1_000_000n).toString().padStart(6, '0')}`

/** The price as indexes of paid APIs read it. */
function toPaymentInfo({ price }: Pick<Offer, 'price'>) {
  const amount =
    typeof price === 'bigint'
      ? { mode: 'fixed', currency: 'USD', amount: sixPlaces(price) }
      : { mode: 'dynamic', currency: 'USD', min: sixPlaces(price.from), max: sixPlaces(price.most) }
  return { price: amount, protocols: [{ x402: {} }] }
}

function toParameters(offer: Offer, siblings: readonly Offer[]) {
  const inPath = Object.keys(toPathParameters(offer)).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', enum: siblings.map((sibling) => toPathParameters(sibling)[name]) },
  }))
  const { properties = {} } = offer.method === 'GET' ? toJsonSchema(offer.input) : {}
  const inQuery = Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema }))
  return [...inPath, ...inQuery, { $ref: '#/components/parameters/PaymentSignature' }]
}

const toContent = ({ mimeType, slug }: Offer): object =>
  answers[slug] ?? (mimeType === 'text/plain' ? text : { [mimeType]: { schema: { contentMediaType: mimeType } } })

const priceInWords = ({ price }: Offer): string =>
  typeof price === 'bigint'
    ? `Costs ${toDisplay(price)}.`
    : `Costs ${price.rule}: ${toDisplay(price.from)} to ${toDisplay(price.most)}. Send the body with the unpaid request, and the 402 quotes it exactly.`

/**
 * The OpenAPI operation of a product. Siblings are the products that share its route template, itself included;
 * where there are several, what the operation says is true of each.
 */
export function toPaidOperation(offer: Offer, siblings: readonly Offer[]) {
  const isOneOfMany = offer.routeTemplate !== undefined
  const problems = [
    ...(isOneOfMany ? (['not-found'] as const) : []),
    ...(offer.method === 'POST' ? bodyProblems : Object.keys(offer.input.shape).length > 0 ? inputProblems : []),
    ...paidProblems,
  ]
  const summary = isOneOfMany ? 'Get the markdown of a skill' : offer.title
  const about = isOneOfMany ? siblings.map(({ slug, title }) => `- \`${slug}\`: ${title}`).join('\n') : offer.excerpt
  return {
    operationId: isOneOfMany ? 'get-skill' : offer.id,
    tags: [offer.lane],
    summary: `${summary} (${priceText(offer)})`,
    description: `${about}\n\n${priceInWords(offer)}`,
    'x-payment-info': toPaymentInfo(offer),
    security: [{}],
    parameters: toParameters(offer, siblings),
    ...(offer.method === 'POST' && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: toJsonSchema(offer.input), example: offer.example } },
      },
    }),
    responses: {
      200: {
        description: isOneOfMany ? 'The skill, word for word as published' : offer.delivers.join('\n'),
        headers: {
          'PAYMENT-RESPONSE': { $ref: '#/components/headers/PaymentResponse' },
          'X-Receipt-Id': { $ref: '#/components/headers/ReceiptId' },
        },
        content: toContent(offer),
      },
      402: { $ref: '#/components/responses/PaymentRequired' },
      ...toProblemResponses(problems),
    },
  }
}
