import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import { refuseConnection, statusOfParserError } from './refuse-connection.ts'
import { giveRequestId } from './request-id.ts'
import type { SecurityHeaders } from './security-headers.ts'
import { type Patience, usualPatience, watchConnections } from './watch-connections.ts'

const limits = {
  maxHeaderSize: 32 * 1024,
  keepAliveTimeout: 5000,
  // Checked by the router, so that the refusal looks like every other.
  requireHostHeader: false,
  // A request that announces no body is not set up as a stream, which would cost more than most answers.
  optimizeEmptyRequests: true,
}
/** Counted here: Node's own limit says `Connection: close` without closing, and then answers 503. */
const maxRequestsPerSocket = 1000

/**
 * An HTTP server that keeps every connection within limits, names each request, and answers what HTTP itself refuses.
 * A slow, silent or endless client costs a socket for a short while and nothing else.
 */
export function makeGuardedServer(
  security: SecurityHeaders,
  route: RequestListener,
  patience: Patience = usualPatience,
): Server {
  const answer: RequestListener = (req, res) => {
    const count = connections.begin(req.socket, res)
    // While stopping, too, a connection ends with the answer it is waiting for.
    if (count >= maxRequestsPerSocket || !server.listening) res.shouldKeepAlive = false
    giveRequestId(req)
    route(req, res)
  }

  const server = createServer(
    {
      ...limits,
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      connectionsCheckingInterval: patience.checkEveryMs,
    },
    answer,
  )
  const connections = watchConnections(server, patience)
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
