import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { readTarget } from '../../../src/server/canonical-path.ts'
import { makeGuardedServer } from '../../../src/server/guarded-server.ts'
import { hasValidHost } from '../../../src/server/host-header.ts'
import { requestIdOf } from '../../../src/server/request-id.ts'
import { makeSecurityHeaders, surfaceOf } from '../../../src/server/security-headers.ts'
import { makeSendProblem } from '../../../src/server/send-problem.ts'
import { makeStaticFiles } from '../../../src/server/static-files.ts'
import type { StaticManifest } from '../../../src/server/static-manifest.ts'
import { type Answer, makeRouter } from './make-router.ts'
import type { Handle, Route } from './route.ts'

interface Options {
  readonly config: { readonly baseUrl: string; readonly gameUrl: string; readonly wsUrl: string }
  /** Made when the server is there, because some of them speak of its sockets. */
  readonly routes: (server: Server) => readonly Route[]
  /** Scripts, styles and the tool server's package, made with the site. */
  readonly files: { readonly client: string; readonly manifest: StaticManifest }
  readonly notFound: Handle
  readonly report: (failure: { requestId: string; error: string }) => void
}

/** The game host's HTTP server: the built files, then the routes; sockets are attached by `serve-sockets.ts`. */
export function makeGameServer({ config, routes, files, notFound, report }: Options): Server {
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
    else if (!built.serve(req, res, target.path)) void pass(req, res, target.path)
  })
  const answer = makeRouter({ routes: routes(server), baseUrl, notFound, report })
  return server

  /** The adapter answers by itself what breaks inside it, and resolves in every case. */
  function pass(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
    const listener = getRequestListener((request) => finish(answer, request, path, requestIdOf(req)), {
      overrideGlobalObjects: false,
    })
    return Promise.resolve(listener(req, res))
  }

  async function finish(route: Answer, request: Request, path: string, requestId: string): Promise<Response> {
    const { status, headers: given, body } = await route(request, path)
    const headers = new Headers({ ...security(surfaceOf(status, given.get('content-type') ?? '')) })
    for (const [name, value] of given) headers.set(name, value)
    headers.set('x-request-id', requestId)
    return new Response(request.method === 'HEAD' ? null : body, { status, headers })
  }
}
