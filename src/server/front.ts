import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { toLogText } from '../log.ts'
import { Problem, toProblemResponse } from '../problem.ts'
import { type AstroHandler, type Build, buildFiles } from './build-folder.ts'
import { readTarget } from './canonical-path.ts'
import { guardResponse } from './guard-response.ts'
import { hasValidHost } from './host-header.ts'
import { refuseConnection, statusOfParserError } from './refuse-connection.ts'
import { makeSecurityHeaders } from './security-headers.ts'
import { makeSendProblem } from './send-problem.ts'
import type { Services } from './services.ts'
import { makeStaticFiles } from './static-files.ts'
import { asksForHtml } from './wanted-form.ts'

/** Answers one path by itself, without Astro. */
export type PlainHandler = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>

export interface FrontOptions {
  readonly build: Build
  readonly handler: AstroHandler
  readonly services: Services
  /** The precomputed 402s: answers and returns true, or returns false. Asked only for requests that carry nothing. */
  readonly quote: (req: IncomingMessage, res: ServerResponse) => boolean
  /** GET and HEAD of `/healthz` and `/readyz`. */
  readonly health: { readonly healthz: PlainHandler; readonly readyz: PlainHandler }
  readonly log: (event: 'server.error', fields: { requestId: string; error: string }) => void
}

/** Limits of one connection; a slow or endless client costs a socket and nothing else. */
const limits = {
  maxHeaderSize: 32 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 5000,
  // Checked by ourselves, so that the refusal looks like every other.
  requireHostHeader: false,
}
const maxRequestsPerSocket = 1000

/** Headers a proxy sets and a client can forge. Nothing here reads them, and nothing behind gets to. */
const forwarding = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
]

/**
 * The site's HTTP server: health, the precomputed 402s, the build's files, and Astro for the rest.
 *
 * @example createFront({ build, handler: await loadHandler(build), services, quote, health, log }).listen(4321)
 */
export function createFront({ build, handler, services, quote, health, log }: FrontOptions): Server {
  const { baseUrl } = build.facts
  const publicHost = new URL(baseUrl).host
  const security = makeSecurityHeaders(baseUrl)
  const sendProblem = makeSendProblem({ baseUrl, security })
  const files = makeStaticFiles({
    client: buildFiles(build.folder).client,
    manifest: build.manifest,
    security,
    sendProblem,
  })
  const plainHandlers = new Map(Object.entries({ '/healthz': health.healthz, '/readyz': health.readyz }))
  const latest = new WeakMap<Duplex, ServerResponse>()

  function answer(req: IncomingMessage, res: ServerResponse): void {
    if (!hasValidHost(req.rawHeaders)) {
      sendProblem(req, res, 400, { detail: 'Send one well-formed Host header' })
      return
    }
    if (req.method === 'TRACE') {
      sendProblem(req, res, 'method-not-allowed', { headers: { allow: 'GET, HEAD, POST, OPTIONS' } })
      return
    }
    const target = readTarget(req.url ?? '')
    switch (target.is) {
      case 'too-long':
        sendProblem(req, res, 414, { detail: 'A path with its query may have 8192 characters' })
        return
      case 'absolute':
        sendProblem(req, res, 400, { detail: 'Send the path alone as the request target' })
        return
      case 'odd':
        answerNotFound(req, res)
        return
      case 'slashed':
        if (isRead(req) && files.hasPage(target.path)) redirect(res, target.path + target.query)
        else answerNotFound(req, res)
        return
      case 'path':
        answerPath(req, res, target.path, target.query)
    }
  }

  function answerPath(req: IncomingMessage, res: ServerResponse, path: string, query: string): void {
    const fail = (error: unknown) => answerFailure(req, res, error)
    const release = guardResponse(res, { security, answerFailure: () => fail(undefined) })
    const plain = plainHandlers.get(path)
    if (plain) {
      if (isRead(req)) Promise.try(plain, req, res).catch(fail)
      else sendProblem(req, res, 'method-not-allowed', { headers: { allow: 'GET, HEAD' } })
      return
    }
    if (query === '' && carriesNothing(req) && quote(req, res)) return
    release()
    if (files.serve(req, res, path)) return
    // Astro's own endpoints (/_image, /_server-islands, /_actions) are no part of this site.
    if (path.startsWith('/_')) {
      answerNotFound(req, res)
      return
    }
    guardResponse(res, { security, answerFailure: () => fail(undefined) })
    req.headers.host = publicHost
    for (const name of forwarding) delete req.headers[name]
    const requestId = String(res.getHeader('x-request-id'))
    req.headers['x-request-id'] = requestId
    const locals = { services: { ...services, problem: problemOf(requestId) } }
    const next = (error?: unknown) => (error === undefined ? answerNotFound(req, res) : fail(error))
    handler(req, res, next, locals).catch(fail)
  }

  /** Problems made while a request is answered carry that request's id. */
  const problemOf =
    (requestId: string): Services['problem'] =>
    (kind, options) =>
      toProblemResponse(new Problem(kind, options), { baseUrl, requestId })

  function answerNotFound(req: IncomingMessage, res: ServerResponse): void {
    const path = pathOf(req)
    const isPage = isRead(req) && !/^\/api(?:\/|$)|\.[^/]*$/.test(path) && asksForHtml(req.headers.accept)
    if (!isPage || !files.serveNotFound(req, res)) sendProblem(req, res, 'not-found')
  }

  function answerFailure(req: IncomingMessage, res: ServerResponse, error: unknown): void {
    const requestId = String(res.getHeader('x-request-id'))
    const what = error === undefined ? 'a route threw; Astro printed the reason' : toLogText(error)
    log('server.error', { requestId, error: `${req.method} ${pathOf(req)}: ${what}` })
    if (res.headersSent) res.destroy()
    else sendProblem(req, res, 'internal-error')
  }

  function redirect(res: ServerResponse, location: string): void {
    res.writeHead(308, { ...security('document'), location, 'cache-control': 'no-cache', 'content-length': 0 }).end()
  }

  const server = createServer(limits, listen)
  server.maxRequestsPerSocket = maxRequestsPerSocket
  // An expectation that we do not know is ignored, as RFC 9110 allows.
  server.on('checkExpectation', listen)
  server.on('connect', (_req, socket) => refuseConnection(socket, { status: 405, requestId: randomUUID(), security }))
  server.on('clientError', (error, socket) => {
    const response = latest.get(socket)
    // A refusal in the middle of an answer would be read as a part of it.
    if (!socket.writable || (response?.headersSent && !response.writableFinished)) socket.destroy()
    else refuseConnection(socket, { status: statusOfParserError(error), requestId: randomUUID(), security })
  })
  return server

  function listen(req: IncomingMessage, res: ServerResponse): void {
    latest.set(req.socket, res)
    // While stopping, a connection ends with the answer it is waiting for.
    if (!server.listening) res.shouldKeepAlive = false
    res.setHeader('x-request-id', randomUUID())
    try {
      answer(req, res)
    } catch (error) {
      answerFailure(req, res, error)
    }
  }
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? ''

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD'

/** No body and no payment, so that the answer depends on the path alone. */
const carriesNothing = ({ headers }: IncomingMessage): boolean =>
  headers['payment-signature'] === undefined &&
  headers['x-payment'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  (headers['content-length'] ?? '0') === '0'
