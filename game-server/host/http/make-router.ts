import { randomUUID } from 'node:crypto'
import { toLogText } from '../../../src/log.ts'
import { Problem, toProblemResponse } from '../../../src/problem.ts'
import { gamePreflightHeaders } from '../../../src/server/security-headers.ts'
import { readBody } from './read-body.ts'
import type { Handle, Route } from './route.ts'

interface Options {
  readonly routes: readonly Route[]
  /** The site's, which has the pages of problems. */
  readonly baseUrl: string
  /** Answers a person who follows a dead link. */
  readonly notFound: Handle
  readonly report: (failure: { requestId: string; error: string }) => void
}

/** Answers one request for a canonical path. */
export type Answer = (request: Request, path: string, address: string) => Promise<Response>

const defaultMaxBytes = 64 * 1024

/**
 * Finds the route of a path and does what every route needs: HEAD is GET without a body, OPTIONS names the methods,
 * a body is read whole and within its limit before the route sees it, and what a route throws becomes a problem.
 *
 * @throws Error when two routes have one path
 */
export function makeRouter({ routes, baseUrl, notFound, report }: Options): Answer {
  const exact = new Map<string, Route>()
  const open: { route: Route; pattern: RegExp }[] = []
  for (const route of routes) {
    if (exact.has(route.path)) throw new Error(`two routes have the path ${route.path}`)
    exact.set(route.path, route)
    if (route.path.includes('/:')) open.push({ route, pattern: toPattern(route.path) })
  }

  const find = (path: string): { route: Route; name: string } | undefined => {
    const route = path.includes(':') ? undefined : exact.get(path)
    if (route) return { route, name: '' }
    for (const { route: candidate, pattern } of open) {
      const name = pattern.exec(path)?.[1]
      if (name !== undefined) return { route: candidate, name: decodeURIComponent(name) }
    }
    return undefined
  }

  const answer = async (request: Request, path: string, address: string): Promise<Response> => {
    const found = find(path)
    if (!found) {
      if (wantsPage(request)) return notFound(request, '', address)
      throw new Problem('not-found')
    }
    const { route, name } = found
    const { handlers } = route
    const allow = methodsOf(route)
    const method = request.method === 'HEAD' && !('HEAD' in handlers) ? 'GET' : request.method
    const handle = new Map<string, Handle>(Object.entries(handlers)).get(method)
    if (handle) return handle(await withBody(request, route.maxBodyBytes ?? defaultMaxBytes), name, address)
    if (method !== 'OPTIONS') throw new Problem('method-not-allowed', { detail: `Use ${allow}`, headers: { allow } })
    const headers = { allow, 'access-control-allow-methods': allow, ...gamePreflightHeaders }
    return new Response(null, { status: 204, headers })
  }

  return async (request, path, address) => {
    try {
      return await answer(request, path, address)
    } catch (error) {
      const requestId = request.headers.get('x-request-id') ?? randomUUID()
      if (error instanceof Problem) return toProblemResponse(error, { baseUrl, requestId })
      report({ requestId, error: `${request.method} ${path}: ${toLogText(error)}` })
      return toProblemResponse(new Problem('internal-error', { retryAfterSeconds: 5 }), { baseUrl, requestId })
    }
  }
}

const toPattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/:\w+/, '([^/]+)')}$`)

const methodsOf = ({ handlers }: Route): string =>
  [...Object.keys(handlers).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS']
    .filter((method, index, all) => all.indexOf(method) === index)
    .join(', ')

const wantsPage = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') && (headers.get('accept') ?? '').includes('text/html')

/** The same request with its body in memory, so that a route can neither wait for it for ever nor be flooded by it. */
async function withBody(request: Request, maxBytes: number): Promise<Request> {
  if (request.method !== 'POST') return request
  const body = await readBody(request, maxBytes)
  const { method, headers, signal, url } = request
  return new Request(url, { method, headers, signal, body })
}
