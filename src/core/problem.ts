import { type ProblemKind, problemKinds } from './problem-kinds.ts'

/** Whether the caller was charged although the request failed. */
export type Charged = false | true | 'unknown'

/** One reason of a refusal: a JSON pointer into the body, or the name of a query parameter. */
export type InputError = { pointer: string; detail: string } | { parameter: string; detail: string }

export interface ProblemOptions {
  /**
   * What is wrong with this request and what to do about it; never the error message of a library or another service.
   */
  detail?: string
  errors?: readonly InputError[]
  /** Present on paid routes only. */
  charged?: Charged
  /** Seconds until the same request may succeed; sets `Retry-After` and `retryable`. */
  retryAfterSeconds?: number
  headers?: Readonly<Record<string, string>>
  /** For the log, never for the caller. */
  cause?: unknown
}

/** `Retry-After` of a 5xx when it is not known how long the failure lasts. */
const usualRetrySeconds = 30

/** The only error a handler throws on purpose (RFC 9457). Everything else becomes a bare `internal-error`. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly kind: ProblemKind
  readonly options: ProblemOptions

  constructor(kind: ProblemKind, options: ProblemOptions = {}) {
    super(options.detail ?? problemKinds[kind].title, { cause: options.cause })
    this.kind = kind
    // It is always safe to repeat a request after a 5xx: the same signature is charged at most once.
    const { retryAfterSeconds = usualRetrySeconds } = options
    this.options = problemKinds[kind].status >= 500 ? { ...options, retryAfterSeconds } : options
  }
}

/** What a problem response needs to know about the site and the request. */
export interface ProblemContext {
  baseUrl: string
  /** Unique per request. It is in the log, too, where an operator can look it up. */
  requestId: string
}

/** The `application/problem+json` body of RFC 9457 with our own `charged` and `retryable`. */
export function toProblemBody({ kind, options }: Problem, { baseUrl, requestId }: ProblemContext) {
  const { status, title } = problemKinds[kind]
  const { detail = title, errors, charged, retryAfterSeconds } = options
  return {
    type: `${baseUrl}/problems/${kind}`,
    title,
    status,
    detail,
    instance: `urn:request:${requestId}`,
    ...(errors && { errors: errors.slice(0, 20) }),
    ...(charged !== undefined && { charged }),
    retryable: retryAfterSeconds !== undefined,
  }
}

/** The headers of a problem response, which must never be cached. */
export const toProblemHeaders = ({ retryAfterSeconds, headers }: ProblemOptions): Record<string, string> => ({
  'content-type': 'application/problem+json',
  'cache-control': 'no-store',
  ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  ...headers,
})

/** The response a caller gets for a problem. */
export const toProblemResponse = (problem: Problem, context: ProblemContext): Response =>
  new Response(JSON.stringify(toProblemBody(problem, context)), {
    status: problemKinds[problem.kind].status,
    headers: toProblemHeaders(problem.options),
  })
