import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Problem } from '../core/problem.ts'
import { siteHeaders, toPreflightHeaders } from './preflight.ts'
import type { NodeHandle, Route } from './route.ts'
import type { Found } from './route-table.ts'
import type { SendProblem } from './send-problem.ts'

/**
 * Lets a handler of requests and responses answer on Node's own objects.
 *
 * @example const healthz = toNodeHandle(() => Response.json({ ok: true }))
 */
export const toNodeHandle =
  (handle: (request: Request, name: string) => Promise<Response> | Response): NodeHandle =>
  async (req, res, name) => {
    let failure: { readonly error: unknown } | undefined
    const listener = getRequestListener((request) => handle(request, name), {
      overrideGlobalObjects: false,
      // A request of HTTP/1.0 names no host, and nothing is made of the one that is named.
      hostname: 'localhost',
      errorHandler(error) {
        failure = { error }
      },
    })
    await listener(req, res)
    if (failure) throw failure.error
  }

/** A route on Node's own objects; its handlers are told no address. */
export const toNodeRoute = ({ handlers, ...route }: Route): Route<NodeHandle> => ({
  ...route,
  handlers: Object.fromEntries(
    Object.entries(handlers).map(([method, handle]) => [
      method,
      toNodeHandle((request, name) => handle(request, name, '')),
    ]),
  ),
})

/** Answers by a route that was found; throws what its handler throws, but for problems, which are answers. */
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
