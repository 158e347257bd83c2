import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { readAddress } from './read-address.ts'
import { giveRequestId, requestIdOf } from './request-id.ts'
import type { SecurityHeaders } from './security-headers.ts'
import { type SendProblem, type TransportStatus, toTransportProblem } from './send-problem.ts'
import { allow } from './take-target.ts'
import { type Timeouts, usualTimeouts, watchConnections } from './watch-connections.ts'

/** Which status an error of the HTTP parser deserves. */
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

/** Writes a refusal to a socket that never became a request, and closes it. */
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
  // Time for the answer to arrive: closing with unread bytes would reset the connection under it.
  setTimeout(() => socket.destroy(), 1000).unref()
}

const limits = {
  maxHeaderSize: 32 * 1024,
  keepAliveTimeout: 5000,
  // What a client sends at the last of these seconds, a payment perhaps, still finds its connection open.
  keepAliveTimeoutBuffer: 15_000,
  // Checked below, so that the refusal looks like every other.
  requireHostHeader: false,
  // A request that announces no body is not set up as a stream, which would cost more than most answers.
  optimizeEmptyRequests: true,
}
/** Counted here: Node's own limit says `Connection: close` without closing, and then answers 503. */
const maxRequestsPerSocket = 1000

interface Options {
  readonly security: SecurityHeaders
  readonly sendProblem: SendProblem
  readonly route: RequestListener
  readonly timeouts?: Timeouts
}

/**
 * An HTTP server that keeps every connection within limits, names each request, and answers what HTTP itself refuses.
 * A slow, silent or endless client costs a socket for a short while and nothing else.
 *
 * @example makeGuardedServer({ security, sendProblem, route: (req, res) => res.end('here') }).listen(4321)
 */
export function makeGuardedServer({ security, sendProblem, route, timeouts = usualTimeouts }: Options): Server {
  const answer: RequestListener = (req, res) => {
    const count = connections.begin(req.socket, res)
    // While stopping, too, a connection ends with the answer it is waiting for.
    if (count >= maxRequestsPerSocket || !server.listening) res.shouldKeepAlive = false
    giveRequestId(req)
    if (!readAddress(req)) sendProblem(req, res, 400, { detail: 'Send one well-formed Host header' })
    // Asks what the server can do at all (RFC 9110, 9.3.7).
    else if (req.method === 'OPTIONS' && req.url === '*')
      res.writeHead(204, { ...security('document'), allow, 'x-request-id': requestIdOf(req) }).end()
    else route(req, res)
  }

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
  // Node's own, which closing calls as well, cuts off an answer that is complete here and has not all been sent.
  server.closeIdleConnections = connections.closeIdle
  // An expectation that we do not know is ignored, as RFC 9110 allows.
  server.on('checkExpectation', answer)
  server.on('connect', (_req, socket) => refuseConnection(socket, { status: 405, requestId: randomUUID(), security }))
  server.on('clientError', (error, socket) => {
    // A refusal in the middle of an answer would be read as a part of it.
    if (!socket.writable || connections.isAnswering(socket)) socket.destroy()
    else refuseConnection(socket, { status: statusOfParserError(error), requestId: randomUUID(), security })
  })
  return server
}

/**
 * Clients that prefer HTTP/2 (those of Java, `curl --http2`) offer it with every request that is not encrypted. Who does
 * not take up such an offer just answers (RFC 9110, 7.8).
 */
const asksForSocket = (upgrade = ''): boolean =>
  upgrade.split(',').some((protocol) => protocol.trim().toLowerCase() === 'websocket')
