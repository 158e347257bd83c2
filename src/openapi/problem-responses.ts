import { type ProblemKind, problemKinds } from '../core/problem-kinds.ts'

/** Kinds that share a status share one documented response, because OpenAPI knows only statuses. */
const kindsByStatus = (kinds: readonly ProblemKind[]): Map<number, ProblemKind[]> =>
  Map.groupBy(kinds, (kind) => problemKinds[kind].status)

const toDescription = (kinds: readonly ProblemKind[]): string =>
  kinds.map((kind) => `\`${kind}\`: ${problemKinds[kind].title}. ${problemKinds[kind].advice}`).join('\n\n')

/** The `responses` of an operation for the problems that it may answer with, by status. */
export const toProblemResponses = (kinds: readonly ProblemKind[]): Record<string, { $ref: string }> =>
  Object.fromEntries(
    [...kindsByStatus(kinds).keys()].map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
  )

const rateLimits = {
  RateLimit: { description: 'What is left: r requests, all of them again after t seconds', schema: { type: 'string' } },
  'RateLimit-Policy': { description: 'The limit: q requests in w seconds', schema: { type: 'string' } },
}

/** The responses that operations refer to, described from the table of problems. */
export function toProblemComponents(kinds: readonly ProblemKind[]) {
  const retryAfter = {
    description: 'Seconds after which the identical request may succeed',
    schema: { type: 'integer' },
  }
  return Object.fromEntries(
    [...kindsByStatus(kinds)].map(([status, sharing]) => [
      `Problem${status}`,
      {
        description: toDescription(sharing),
        ...([409, 429, 500, 502, 503].includes(status) && {
          headers: {
            'Retry-After': retryAfter,
            ...(status === 429 && rateLimits),
            ...(status === 503 && { 'PAYMENT-RESPONSE': { $ref: '#/components/headers/PaymentResponse' } }),
          },
        }),
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
          ...(status === 404 && { 'text/html': { schema: { type: 'string' } } }),
        },
      },
    ]),
  )
}
