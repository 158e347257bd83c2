import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { refuseConnection, statusOfParserError } from './refuse-connection.ts'
import { giveRequestId } from './request-id.ts'
import type { SecurityHeaders } from './security-headers.ts'

/** Limits of one connection: a slow or endless client costs a socket and nothing else. */
const limits = {
  maxHeaderSize: 32 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 5000,
  // Checked by the router, so that the refusal looks like every other.
  requireHostHeader: false,
  // A request that announces no body is not set up as a stream, which would cost more than most answers.
  optimizeEmptyRequests: true,
}
/** Counted here: Node's own limit says `Connection: close` without closing, and then answers 503. */
const maxRequestsPerSocket = 1000

/** An HTTP server that keeps every connection within limits, names each request, and answers what HTTP itself refuses. */
export function makeGuardedServer(security: SecurityHeaders, route: RequestListener): Server {
  const connections = new WeakMap<Duplex, { count: number; latest: ServerResponse }>()

  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    const count = (connections.get(req.socket)?.count ?? 0) + 1
    connections.set(req.socket, { count, latest: res })
    // While stopping, too, a connection ends with the answer it is waiting for.
    if (count >= maxRequestsPerSocket || !server.listening) res.shouldKeepAlive = false
    giveRequestId(req)
    route(req, res)
  }

  const server = createServer(limits, answer)
  // An expectation that we do not know is ignored, as RFC 9110 allows.
  server.on('checkExpectation', answer)
  server.on('connect', (_req, socket) => refuseConnection(socket, { status: 405, requestId: randomUUID(), security }))
  server.on('clientError', (error, socket) => {
    const response = connections.get(socket)?.latest
    // A refusal in the middle of an answer would be read as a part of it.
    if (!socket.writable || (response?.headersSent && !response.writableFinished)) socket.destroy()
    else refuseConnection(socket, { status: statusOfParserError(error), requestId: randomUUID(), security })
  })
  return server
}
