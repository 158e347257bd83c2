import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { Problem, type ProblemOptions, toProblemBody, toProblemHeaders } from '../core/problem.ts'
import type { ProblemKind } from '../core/problem-kinds.ts'
import { requestIdOf } from './request-id.ts'
import type { SecurityHeaders } from './security-headers.ts'

/**
 * The statuses of errors on the HTTP level, before a route is known; their problem type is `about:blank` (RFC 9457).
 */
export type TransportStatus = 400 | 408 | 412 | 413 | 414 | 416 | 431

/** Sends a problem as the response. */
export type SendProblem = (
  req: IncomingMessage,
  res: ServerResponse,
  problem: ProblemKind | TransportStatus,
  options?: ProblemOptions,
) => void

interface Context {
  readonly baseUrl: string
  readonly security: SecurityHeaders
}

/** The body of such an error, which has no page of its own. */
export const toTransportProblem = (status: TransportStatus, requestId: string, detail?: string) => {
  const title = STATUS_CODES[status] ?? 'Refused'
  return {
    type: 'about:blank',
    title,
    status,
    detail: detail ?? title,
    instance: `urn:request:${requestId}`,
    retryable: status === 408,
  }
}

/**
 * Makes a function that sends problems on Node's own objects, in the format of `toProblemResponse`.
 *
 * @example makeSendProblem({ baseUrl, security })(req, res, 'not-found')
 */
export function makeSendProblem({ baseUrl, security }: Context): SendProblem {
  return (req, res, problem, options = {}) => {
    const requestId = requestIdOf(req)
    const body =
      typeof problem === 'number'
        ? toTransportProblem(problem, requestId, options.detail)
        : toProblemBody(new Problem(problem, options), { baseUrl, requestId })
    const text = JSON.stringify(body)
    res.writeHead(body.status, {
      ...security('document'),
      'x-request-id': requestId,
      ...toProblemHeaders(options),
      'content-length': Buffer.byteLength(text),
    })
    res.end(req.method === 'HEAD' ? undefined : text)
  }
}
