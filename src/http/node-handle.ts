import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Problem } from '../core/problem.ts'
import { siteHeaders, toPreflightHeaders } from './preflight.ts'
import type { NodeHandle, Route } from './route.ts'
import type { Found } from './route-table.ts'
import type { SendProblem } from './send-problem.ts'

/**
 * Adapts a handler of web requests and responses to Node's own objects.
 *
 * @example const healthz = toNodeHandle(() => Response.json({ ok: true }))
 */
export const toNodeHandle =
  (handle: (request: Request, name: string) => Promise<Response> | Response): NodeHandle =>
  async (req, res, name) => {
    let failure: { readonly error: unknown } | undefined
    const listener = getRequestListener((request) => handle(request, name), {
      overrideGlobalObjects: false,
      // HTTP/1.0 requests have no host, and handlers do not use the host of the others.
      hostname: 'localhost',
      errorHandler(error) {
        failure = { error }
      },
    })
    await listener(req, res)
    if (failure) throw failure.error
  }

/** Adapts a route to Node's own objects. Its handlers get an empty string as the address of the client. */
export const toNodeRoute = ({ handlers, ...route }: Route): Route<NodeHandle> => ({
  ...route,
  handlers: Object.fromEntries(
    Object.entries(handlers).map(([method, handle]) => [
      method,
      toNodeHandle((request, name) => handle(request, name, '')),
    ]),
  ),
})

/** Runs the route that was found. It throws what the handler throws, except problems, which it sends. */
export async function answerFound(
  found: Found<NodeHandle>,
  { req, res, sendProblem }: { req: IncomingMessage; res: ServerResponse; sendProblem: SendProblem },
): Promise<void> {
  try {
    switch (found.is) {
      case 'options':
        res.writeHead(204, toPreflightHeaders(found.allow, found.route.crossOriginHeaders ?? siteHeaders)).end()
        return
      case 'wrong-method':
        throw new Problem('method-not-allowed', { headers: { allow: found.allow } })
      case 'handler':
        await found.handle(req, res, found.name)
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    sendProblem(req, res, error.kind, error.options)
  }
}
