import { type ProblemKind, problemKinds } from './problem-kinds.ts'

/** What the caller should believe about their money after an error. */
export type Charged = false | true | 'unknown'

/** One reason of a refusal: a JSON pointer into the body, or the name of a query parameter. */
export type InputError = { pointer: string; detail: string } | { parameter: string; detail: string }

export interface ProblemOptions {
  /** What is wrong with this request and what to do about it; never another program's error text. */
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

/** After a 5xx of which nobody knows when it ends. */
const usualRetrySeconds = 30

/** The only error a handler throws on purpose (RFC 9457). Everything else becomes a bare `internal-error`. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly kind: ProblemKind
  readonly options: ProblemOptions

  constructor(kind: ProblemKind, options: ProblemOptions = {}) {
    super(options.detail ?? problemKinds[kind].title, { cause: options.cause })
    this.kind = kind
    // Whoever gets a 5xx may always send the same again: nothing is lost by it, and it is charged once at most.
    const { retryAfterSeconds = usualRetrySeconds } = options
    this.options = problemKinds[kind].status >= 500 ? { ...options, retryAfterSeconds } : options
  }
}

/** Where problem pages live and which request this is. */
export interface ProblemContext {
  baseUrl: string
  /** Unique per request; also in the log, so that an operator finds it. */
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

/** What every answer with a problem carries: it is never cached. */
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
