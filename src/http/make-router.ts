import { randomUUID } from 'node:crypto'
import { toLogText } from '../core/log.ts'
import { Problem, toProblemResponse } from '../core/problem.ts'
import { prefersHtml } from './negotiate.ts'
import { siteHeaders, toPreflightHeaders } from './preflight.ts'
import { readBody } from './read-body.ts'
import type { Handle, Route } from './route.ts'
import { makeRouteTable } from './route-table.ts'

interface Options {
  readonly routes: readonly Route[]
  /** The address of the site, which has the pages about problems. */
  readonly baseUrl: string
  /** The request headers that pages of other origins may send, unless a route has its own. */
  readonly crossOriginHeaders?: string
  /** Sends a page to a person who follows a dead link. */
  readonly notFound: Handle
  readonly report: (failure: { requestId: string; error: string }) => void
}

/** Handles one request for a canonical path. `address` is that of the client. */
export type Answer = (request: Request, path: string, address: string) => Promise<Response>

const defaultMaxBytes = 64 * 1024

/**
 * Finds the route of a path and does what every route needs: HEAD is GET without a body, OPTIONS names the methods, a
 * body is read completely and within its limit before the route sees it, and an error of a route becomes a problem.
 *
 * @example const answer = makeRouter({ routes, baseUrl, notFound, report })
 * @throws Error when two routes have one path
 */
export function makeRouter({ routes, baseUrl, crossOriginHeaders = siteHeaders, notFound, report }: Options): Answer {
  const find = makeRouteTable(routes)

  const answer = async (request: Request, path: string, address: string): Promise<Response> => {
    const found = find(request.method, path)
    if (!found) {
      if (wantsPage(request)) return notFound(request, '', address)
      throw new Problem('not-found')
    }
    const { route } = found
    switch (found.is) {
      case 'options':
        return new Response(null, {
          status: 204,
          headers: toPreflightHeaders(found.allow, route.crossOriginHeaders ?? crossOriginHeaders),
        })
      case 'wrong-method':
        throw new Problem('method-not-allowed', { detail: `Use ${found.allow}`, headers: { allow: found.allow } })
      case 'handler':
        return found.handle(await withBody(request, route.maxBodyBytes ?? defaultMaxBytes), found.name, address)
    }
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

const wantsPage = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') && prefersHtml(headers.get('accept'))

/** The same request with its body in memory, so that a route neither waits for it nor gets one that is too large. */
async function withBody(request: Request, maxBytes: number): Promise<Request> {
  if (request.method !== 'POST') return request
  // The client is gone when its body breaks off, so this response only has to be harmless.
  const body = await readBody(request, maxBytes).catch(() => null)
  if (body === null) throw new Problem('invalid-input', { errors: [{ pointer: '', detail: 'the body was cut off' }] })
  if (!body)
    throw new Problem('body-too-large', { charged: false, detail: `A body may have at most ${maxBytes} bytes here` })
  const { method, headers, signal, url } = request
  return new Request(url, { method, headers, signal, body })
}
