import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { afterReading } from './after-reading.ts'
import { readAddress } from './read-address.ts'
import { giveRequestId, requestIdOf } from './request-id.ts'
import type { SecurityHeaders } from './security-headers.ts'
import { type SendProblem, type TransportStatus, toTransportProblem } from './send-problem.ts'
import { allow } from './take-target.ts'
import { type Timeouts, usualTimeouts, watchConnections } from './watch-connections.ts'

/** The status for an error of the HTTP parser. */
function statusOfParserError(error: Error & { readonly code?: string }): TransportStatus {
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

/** Writes an error response to a socket whose request could not be parsed, and closes it. */
function refuseConnection(
  socket: Duplex,
  { status, requestId, security }: { status: TransportStatus | 405; requestId: string; security: SecurityHeaders },
): void {
  const problem = status === 405 ? undefined : toTransportProblem(status, requestId)
  const body = problem ? JSON.stringify(problem) : ''
  const headers = {
    ...security('document'),
    ...(problem && { 'content-type': 'application/problem+json' }),
    ...(status === 405 && { allow }),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  // The delay lets the response arrive: closing a socket with unread bytes resets the connection.
  setTimeout(() => socket.destroy(), 1000).unref()
}

const limits = {
  maxHeaderSize: 32 * 1024,
  keepAliveTimeout: 5000,
  // The real timeout is longer than the announced one, so that a request sent in its last second, perhaps with a
  // payment, does not meet a closed connection.
  keepAliveTimeoutBuffer: 15_000,
  // The Host header is checked below, so that the error has the same format as every other.
  requireHostHeader: false,
  // A request without a body is not set up as a stream, which would cost more than most responses.
  optimizeEmptyRequests: true,
}
/**
 * The limit is enforced here because Node's own one sends `Connection: close` without closing, and then responds 503.
 */
const maxRequestsPerSocket = 1000

interface Options {
  readonly security: SecurityHeaders
  readonly sendProblem: SendProblem
  readonly route: RequestListener
  readonly timeouts?: Timeouts
}

/**
 * An HTTP server that enforces limits on every connection, gives each request an id, and responds to what HTTP itself
 * refuses. A slow, silent or endless client only costs one socket for a short time.
 *
 * @example makeGuardedServer({ security, sendProblem, route: (req, res) => res.end('here') }).listen(4321)
 */
export function makeGuardedServer({ security, sendProblem, route, timeouts = usualTimeouts }: Options): Server {
  const answer: RequestListener = (req, res) => {
    const count = connections.begin(req.socket, res)
    // While the server stops, a connection also ends after its current response.
    if (count >= maxRequestsPerSocket || !server.listening) res.shouldKeepAlive = false
    giveRequestId(req)
    take(req, res)
  }
  const { take, flush } = afterReading((req, res) => {
    if (!readAddress(req)) sendProblem(req, res, 400, { detail: 'Send one well-formed Host header' })
    // `OPTIONS *` asks what the server supports in general (RFC 9110, 9.3.7).
    else if (req.method === 'OPTIONS' && req.url === '*')
      res.writeHead(204, { ...security('document'), allow, 'x-request-id': requestIdOf(req) }).end()
    else route(req, res)
  })

  const server: Server = createServer(
    {
      ...limits,
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.checkEveryMs,
      shouldUpgradeCallback: ({ headers }) => server.listenerCount('upgrade') > 0 && asksForSocket(headers.upgrade),
    },
    answer,
  )
  const connections = watchConnections(server, timeouts)
  // Replaces Node's own method, which `close` also calls: it cuts off a response that is complete in memory but not yet
  // sent.
  server.closeIdleConnections = connections.closeIdle
  // An unknown `Expect` header is ignored, as RFC 9110 allows.
  server.on('checkExpectation', answer)
  const refuse = (socket: Duplex, status: TransportStatus | 405): void => {
    // What came before on this connection is responded to first.
    flush()
    // An error response in the middle of another response would be read as a part of it.
    if (!socket.writable || connections.isAnswering(socket)) socket.destroy()
    else refuseConnection(socket, { status, requestId: randomUUID(), security })
  }
  server.on('connect', (_req, socket) => refuse(socket, 405))
  server.on('clientError', (error, socket) => refuse(socket, statusOfParserError(error)))
  return server
}

/**
 * Whether an `Upgrade` header asks for a WebSocket. Clients that prefer HTTP/2 (those of Java, `curl --http2`) send
 * `Upgrade: h2c` with every unencrypted request; a server may ignore that and just respond (RFC 9110, 7.8).
 */
const asksForSocket = (upgrade = ''): boolean =>
  upgrade.split(',').some((protocol) => protocol.trim().toLowerCase() === 'websocket')
