import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { readTarget } from '../../../src/server/canonical-path.ts'
import { makeGuardedServer } from '../../../src/server/guarded-server.ts'
import { hasValidHost } from '../../../src/server/host-header.ts'
import type { Errand, Meter } from '../../../src/server/meter.ts'
import { sendRateLimited } from '../../../src/server/rate-limited.ts'
import { requestIdOf } from '../../../src/server/request-id.ts'
import { makeSecurityHeaders, surfaceOf } from '../../../src/server/security-headers.ts'
import { makeSendProblem } from '../../../src/server/send-problem.ts'
import { makeStaticFiles } from '../../../src/server/static-files.ts'
import type { StaticManifest } from '../../../src/server/static-manifest.ts'
import { makeRouter } from './make-router.ts'
import type { Handle, Route } from './route.ts'

interface Options {
  readonly config: { readonly baseUrl: string; readonly gameUrl: string; readonly wsUrl: string }
  /** Made when the server is there, because some of them speak of its sockets. */
  readonly routes: (server: Server) => readonly Route[]
  /** Scripts, styles and the tool server's package, made with the site. */
  readonly files: { readonly client: string; readonly manifest: StaticManifest }
  readonly notFound: Handle
  readonly meter: Meter
  /** Who asks: the peer, or whom a trusted proxy names. */
  readonly addressOf: (req: IncomingMessage) => string
  readonly report: (failure: { requestId: string; error: string }) => void
}

/** The game host's HTTP server: the built files, then the routes; sockets are attached by `serve-sockets.ts`. */
export function makeGameServer(options: Options): Server {
  const { config, files, notFound, meter, addressOf, report } = options
  const { baseUrl, gameUrl, wsUrl } = config
  const security = makeSecurityHeaders(gameUrl, [new URL(wsUrl).origin])
  const sendProblem = makeSendProblem({ baseUrl, security })
  const built = makeStaticFiles({ ...files, security, sendProblem })

  const server = makeGuardedServer(security, (req, res) => {
    const target = readTarget(req.url ?? '')
    if (!hasValidHost(req.rawHeaders)) sendProblem(req, res, 400, { detail: 'Send one well-formed Host header' })
    else if (target.is === 'too-long') sendProblem(req, res, 414)
    else if (target.is === 'absolute')
      sendProblem(req, res, 400, { detail: 'Send the path alone as the request target' })
    else if (target.is !== 'path') sendProblem(req, res, 'not-found')
    else if (!built.serve(req, res, target.path)) void admit(req, res, target.path)
  })
  const routes = options.routes(server)
  const answer = makeRouter({ routes, baseUrl, notFound, report })
  const shops = new Set(routes.filter(({ sells }) => sells).map(({ path }) => `${path}`))
  return server

  /** Passes on what is within the limits of its address. */
  async function admit(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
    const errand = errandOf(req, path)
    const waitMs = await meter.admit(req, res, errand)
    if (waitMs === 0) return pass(req, res, path)
    // What is left unread of the request would be taken for the next one.
    if (req.method !== 'GET' && req.method !== 'HEAD') res.shouldKeepAlive = false
    if (errand === 'quote') return pass(req, res, path, withoutBody)
    sendRateLimited(sendProblem, { req, res, waitMs, isPaid: errand !== 'free' })
  }

  function errandOf({ method, headers }: IncomingMessage, path: string): Errand {
    if (method !== 'POST' || !shops.has(path)) return 'free'
    return headers['payment-signature'] === undefined ? 'quote' : 'payment'
  }

  /** The adapter answers by itself what breaks inside it, and resolves in every case. */
  function pass(req: IncomingMessage, res: ServerResponse, path: string, change = asItIs): Promise<void> {
    const about = { path, address: addressOf(req), requestId: requestIdOf(req) }
    const listener = getRequestListener((request) => finish(change(request), about), { overrideGlobalObjects: false })
    return Promise.resolve(listener(req, res))
  }

  async function finish(
    request: Request,
    { path, address, requestId }: { path: string; address: string; requestId: string },
  ): Promise<Response> {
    const { status, headers: given, body } = await answer(request, path, address)
    const headers = new Headers({ ...security(surfaceOf(status, given.get('content-type') ?? '')) })
    for (const [name, value] of given) headers.set(name, value)
    headers.set('x-request-id', requestId)
    return new Response(request.method === 'HEAD' ? null : body, { status, headers })
  }
}

const asItIs = (request: Request): Request => request

/** Whoever asks for too many prices still learns one, but nothing is read for it any more. */
function withoutBody({ url, method, signal, headers: given }: Request): Request {
  const headers = new Headers(given)
  headers.delete('content-length')
  return new Request(url, { method, signal, headers })
}
