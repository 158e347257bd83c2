import type { ProblemKind } from '../core/problem-kinds.ts'
import { answerers, type Operation, type Route } from '../routes/route.ts'
import { toContent, toSchema } from './answer-content.ts'
import { isInPath, type OperationObject, type ResponseObject } from './operation-object.ts'
import { toProblemResponses } from './problem-responses.ts'

/** One method of one address. */
export interface Called {
  readonly route: Pick<Route, 'host' | 'path' | 'by'>
  readonly method: string
  readonly does: Operation
  /** Its group, where that does not follow from the route. */
  readonly tag?: string
  readonly description?: string
  /** Headers of a successful response, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The problems that every paid address may answer with, besides 402. */
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

/** A price in the format of indexes of paid APIs. */
function toPaymentInfo({ min, max }: NonNullable<Operation['price']>) {
  const amounts = min === max ? { amount: min } : { min, max }
  return {
    price: { mode: min === max ? 'fixed' : 'dynamic', currency: 'USD', ...amounts },
    protocols: [{ x402: {} }],
  }
}

const toSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The parameters in a path template. */
const toPathParameters = ({ path }: Called['route'], from = 'From the address of the page') =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: from,
    schema: { type: 'string' },
  }))

/**
 * The problems of an operation. Those of its kind are added: routes that are not built are rate limited and can fail,
 * and a path with a parameter may lead to nothing.
 */
function toProblems({ route, does }: Called): readonly ProblemKind[] {
  const isOpen = route.path.includes('{') && does.status === undefined
  const own: readonly ProblemKind[] = [...(isOpen ? (['not-found'] as const) : []), ...(does.problems ?? [])]
  if (does.price) return [...own, ...paidProblems]
  if (answerers[route.by].isBuilt) return isOpen ? [...own, 'rate-limited'] : own
  return [...own, 'rate-limited', 'internal-error']
}

function toResponses(called: Called): Record<string, ResponseObject> {
  const { route, method, does } = called
  const { hasTag, hasRanges } = answerers[route.by]
  const isRead = method === 'GET'
  const content = toContent(does.answer)
  const own = Object.entries(does.responses ?? {}).map(([status, { description, answer }]) => [
    status,
    { description, ...(answer && { content: toContent(answer) }) },
  ])
  return {
    [does.status ?? 200]: {
      description: toSentence(does.about),
      ...(does.price && { headers: { ...paidHeaders, ...toHeaders(called) } }),
      content,
    },
    ...(does.price && { 402: { $ref: '#/components/responses/PaymentRequired' } }),
    ...(isRead && (hasTag || does.price) && { 304: { $ref: '#/components/responses/Unchanged' } }),
    ...(isRead &&
      hasRanges && {
        206: { description: 'The bytes that were asked for', content },
        412: { $ref: '#/components/responses/OtherVersion' },
        416: { $ref: '#/components/responses/RangeNotSatisfiable' },
      }),
    ...Object.fromEntries(own),
    ...toProblemResponses(toProblems(called)),
  }
}

/** The headers of every paid response; a product may add others. */
const paidHeaders = {
  'PAYMENT-RESPONSE': { $ref: '#/components/headers/PaymentResponse' },
  'X-Receipt-Id': { $ref: '#/components/headers/ReceiptId' },
  'X-Charged': { $ref: '#/components/headers/Charged' },
  ETag: { $ref: '#/components/headers/Tag' },
  'Repr-Digest': { $ref: '#/components/headers/Digest' },
}
const toHeaders = ({ headers = {} }: Called): object =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )

const toBody = ({ body, form }: Operation) => {
  const sent = Object.entries({ 'application/json': body, 'application/x-www-form-urlencoded': form })
  const content = sent.flatMap(([type, one]) =>
    one ? [[type, { schema: toSchema(one.schema), example: one.example }]] : [],
  )
  return content.length > 0 && { requestBody: { required: true, content: Object.fromEntries(content) } }
}

/** The group that the operations of a route are shown in. */
function toTag({ host, by }: Called['route']): string {
  if (host === 'game') return 'game'
  if (by === 'page' || by === 'live page') return 'pages'
  return by === 'oauth' ? 'operator' : 'free'
}

/** The OpenAPI operation for one method of one address. */
export function toOperation(called: Called): OperationObject {
  const { route, does, tag = toTag(route), description } = called
  const own = does.parameters ?? []
  const parameters = [
    ...(own.some(isInPath) ? [] : toPathParameters(route, does.from)),
    ...own,
    ...(does.price ? [{ $ref: '#/components/parameters/PaymentSignature' }] : []),
  ]
  return {
    operationId: does.id,
    tags: [tag],
    summary: does.title,
    ...(description && { description }),
    ...(does.price && { 'x-payment-info': toPaymentInfo(does.price) }),
    security: does.price ? [{}] : [],
    ...(parameters.length > 0 && { parameters }),
    ...toBody(does),
    responses: toResponses(called),
  }
}
