import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { Problem, type ProblemOptions, toProblemBody } from '../problem.ts'
import type { ProblemKind } from '../problem-kinds.ts'
import { problemKinds } from '../problem-kinds.ts'
import { requestIdOf } from './request-id.ts'
import type { SecurityHeaders } from './security-headers.ts'

/** What HTTP itself refuses, before any route is known; RFC 9457 calls these `about:blank`. */
export type TransportStatus = 400 | 408 | 413 | 414 | 416 | 431

/** Answers with a problem. */
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

/** The body of a refusal that has no page of its own. */
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

/** Problems of the front server, in the form that the endpoints behind it use too. */
export function makeSendProblem({ baseUrl, security }: Context): SendProblem {
  return (req, res, problem, options = {}) => {
    const requestId = requestIdOf(req)
    const isTransport = typeof problem === 'number'
    const body = isTransport
      ? toTransportProblem(problem, requestId, options.detail)
      : toProblemBody(new Problem(problem, options), { baseUrl, requestId })
    const text = JSON.stringify(body)
    res.writeHead(isTransport ? problem : problemKinds[problem].status, {
      ...security('document'),
      'x-request-id': requestId,
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...options.headers,
      'content-length': Buffer.byteLength(text),
    })
    res.end(req.method === 'HEAD' ? undefined : text)
  }
}
