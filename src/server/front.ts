import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { QuoteTable } from '../payments/quote-table.ts'
import { audioFolder, makeAudioFiles } from './audio-files.ts'
import { type AstroHandler, type Build, buildFiles } from './build-folder.ts'
import { makeNarratedPages } from './narrated-pages.ts'
import { refuseConnection, statusOfParserError } from './refuse-connection.ts'
import { giveRequestId } from './request-id.ts'
import { type LogFailure, makeRouter, type PlainHandler } from './route-request.ts'
import { makeSecurityHeaders } from './security-headers.ts'
import { makeSendProblem } from './send-problem.ts'
import type { Services } from './services.ts'
import { makeStaticFiles } from './static-files.ts'
import { makeVoiceSampleHandlers } from './voice-sample-handlers.ts'

export type { PlainHandler } from './route-request.ts'

export interface FrontOptions {
  readonly build: Build
  readonly handler: AstroHandler
  readonly services: Services
  readonly quotes: QuoteTable
  /** Answer GET and HEAD of `/healthz` and `/readyz`. */
  readonly health: { readonly healthz: PlainHandler; readonly readyz: PlainHandler }
  readonly log: LogFailure
  /** Breaks off streams that would keep a stopping server waiting. */
  readonly signal: AbortSignal
}

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

/**
 * The site's HTTP server: health, the precomputed 402s, the build's files, and Astro for the rest.
 *
 * @example createFront({ build, handler: await loadHandler(build), services, quotes, health, log, signal }).listen(4321)
 */
export function createFront({ build, handler, services, quotes, health, log, signal }: FrontOptions): Server {
  const { baseUrl } = build.facts
  const security = makeSecurityHeaders(baseUrl)
  const sendProblem = makeSendProblem({ baseUrl, security })
  const { client, narrated } = buildFiles(build.folder)
  const narratedPage = makeNarratedPages({ folder: narrated, episodes: services.episodes, baseUrl, security })
  const files = makeStaticFiles({ client, manifest: build.manifest, security, sendProblem, narratedPage })
  const plain = new Map([
    ['/healthz', health.healthz],
    ['/readyz', health.readyz],
    ...makeVoiceSampleHandlers({ samples: services.voiceSamples, security, sendProblem, signal }),
  ])
  const folders = new Map([
    [audioFolder, makeAudioFiles({ episodes: services.episodes, security, sendProblem, signal })],
  ])
  const route = makeRouter({ baseUrl, security, sendProblem, files, plain, folders, quotes, handler, services, log })
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
