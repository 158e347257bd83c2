import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { SecurityHeaders } from './security-headers.ts'
import { type TransportStatus, toTransportProblem } from './send-problem.ts'

/** Which status an error of the HTTP parser deserves. */
export function statusOfParserError(error: Error & { readonly code?: string }): TransportStatus {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return 431
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 413
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 408
    default:
      return 400
  }
}

/** Writes a refusal to a socket that never became a request, and closes it. */
export function refuseConnection(
  socket: Duplex,
  { status, requestId, security }: { status: TransportStatus | 405; requestId: string; security: SecurityHeaders },
): void {
  const problem = status === 405 ? undefined : toTransportProblem(status, requestId)
  const body = problem ? JSON.stringify(problem) : ''
  const headers = {
    ...security('document'),
    ...(problem && { 'content-type': 'application/problem+json' }),
    ...(status === 405 && { allow: 'GET, HEAD, POST, OPTIONS' }),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  // Time for the answer to arrive: closing with unread bytes would reset the connection under it.
  setTimeout(() => socket.destroy(), 1000).unref()
}
