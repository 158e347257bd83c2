import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { toLogText } from '../../../src/core/log.ts'
import { guardResponse } from '../../../src/http/guard-response.ts'
import { makeGuardedServer } from '../../../src/http/guarded-server.ts'
import { isBearer } from '../../../src/http/is-bearer.ts'
import { limitRequests } from '../../../src/http/limit-requests.ts'
import type { Limiter, RequestClass } from '../../../src/http/limiter.ts'
import { makeRouter } from '../../../src/http/make-router.ts'
import { toNodeHandle } from '../../../src/http/node-handle.ts'
import { requestIdOf } from '../../../src/http/request-id.ts'
import type { Handle, Route, ShortDocument } from '../../../src/http/route.ts'
import { makeSecurityHeaders } from '../../../src/http/security-headers.ts'
import { makeSendProblem } from '../../../src/http/send-problem.ts'
import { makeWriteShort } from '../../../src/http/short-document.ts'
import { makeStaticFiles } from '../../../src/http/static/static-files.ts'
import type { StaticManifest } from '../../../src/http/static/static-manifest.ts'
import { takeTarget } from '../../../src/http/take-target.ts'
import { hostsPath } from '../../hosts/peers.ts'

interface Options {
  readonly config: { readonly baseUrl: string; readonly gameUrl: string; readonly wsUrl: string }
  /** Called with the server, because some routes report on its sockets. */
  readonly routes: (server: Server) => readonly Route[]
  /** The folder and manifest of built files: scripts, styles and the tool server's package. */
  readonly files: { readonly client: string; readonly manifest: StaticManifest }
  readonly notFound: Handle
  readonly limiter: Limiter
  /** The bearer token of other hosts. Their requests are not limited here: each host limits its own clients. */
  readonly peerKey?: string | undefined
  /** The client's address: of the connection, or as a trusted proxy names it. */
  readonly addressOf: (req: IncomingMessage) => string
  readonly report: (failure: { requestId: string; error: string }) => void
  /** Wraps the listener so that requests are traced. */
  readonly traced?: (listener: RequestListener) => RequestListener
}

/** The game host's HTTP server: the built files, then the routes; sockets are attached by `serve-sockets.ts`. */
export function makeGameServer(options: Options): Server {
  const { config, files, notFound, limiter, peerKey, addressOf, report } = options
  const { baseUrl, gameUrl, wsUrl } = config
  const security = makeSecurityHeaders(gameUrl, [new URL(wsUrl).origin])
  const sendProblem = makeSendProblem({ baseUrl, security })
  const writeShort = makeWriteShort(security)
  const built = makeStaticFiles({ ...files, security, sendProblem })

  const limit = limitRequests({ limiter, sendProblem })
  const route: RequestListener = (req, res) => {
    const target = takeTarget(req, res, sendProblem)
    if (target?.is !== 'path') {
      if (target) sendProblem(req, res, 'not-found')
    } else if (!built.serve(req, res, target.path)) admit(req, res, target.path)
  }
  const server = makeGuardedServer({ security, sendProblem, route: options.traced?.(route) ?? route })
  const routes = options.routes(server)
  const answer = makeRouter({ routes, baseUrl, crossOriginHeaders, notFound, report })
  const shorts = new Map(routes.map(({ path, short }) => [`${path}`, short]))
  const shops = new Set(routes.filter(({ sells }) => sells).map(({ path }) => `${path}`))
  return server

  function isPeer({ headers }: IncomingMessage, path: string): boolean {
    return path === hostsPath && peerKey !== undefined && isBearer(headers.authorization, peerKey)
  }

  function admit(req: IncomingMessage, res: ServerResponse, path: string): void {
    if (isPeer(req, path)) {
      void pass(req, res, path)
      return
    }
    const short = req.method === 'GET' || req.method === 'HEAD' ? shorts.get(path) : undefined
    void limit(req, res, requestClassOf(req, path), {
      pass: () => void (short ? tell(req, res, short) : pass(req, res, path)),
      quote() {
        void pass(req, res, path, withoutBody)
        return true
      },
    })
  }

  function requestClassOf({ method, headers }: IncomingMessage, path: string): RequestClass {
    if (method !== 'POST' || !shops.has(path)) return 'free'
    return headers['payment-signature'] === undefined ? 'quote' : 'payment'
  }

  async function tell(req: IncomingMessage, res: ServerResponse, short: ShortDocument): Promise<void> {
    try {
      await writeShort(short, req, res)
    } catch (error) {
      report({ requestId: requestIdOf(req), error: `${req.method} ${req.url}: ${toLogText(error)}` })
      sendProblem(req, res, 'internal-error', { retryAfterSeconds: 5 })
    }
  }

  async function pass(req: IncomingMessage, res: ServerResponse, path: string, change = asItIs): Promise<void> {
    guardResponse(res, {
      security,
      requestId: requestIdOf(req),
      answerFailure: () => sendProblem(req, res, 'internal-error'),
    })
    const answerRequest = toNodeHandle((request) => answer(change(request), path, addressOf(req)))
    // The router answers what breaks in a route; what fails here never became a request, as with port 99999 in `Host`.
    await Promise.resolve(answerRequest(req, res, '')).catch(() => sendProblem(req, res, 400))
  }
}

/** Headers that browsers may send from other origins: those of payments, of players, and of MCP sessions. */
const crossOriginHeaders =
  'PAYMENT-SIGNATURE, Content-Type, Authorization, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID, Access-Control-Expose-Headers'

const asItIs = (request: Request): Request => request

/** Beyond the limit for quotes, a client still gets the price, but its body is not read. */
function withoutBody({ url, method, signal, headers: given }: Request): Request {
  const headers = new Headers(given)
  headers.delete('content-length')
  return new Request(url, { method, signal, headers })
}
