import type { APIContext, APIRoute } from 'astro'

const allow = 'GET, HEAD, OPTIONS'
const anyOrigin = { 'access-control-allow-origin': '*' }

/**
 * A route of the running server that answers a free JSON document: GET and HEAD, a preflight for other origins, 405
 * for the rest. What `make` returns is sent as JSON; a Response (a problem) goes out as it is.
 */
export const freeJson =
  (cacheControl: string, make: (context: APIContext) => Promise<object | Response>): APIRoute =>
  async (context) => {
    const { method } = context.request
    if (method === 'OPTIONS')
      return new Response(null, {
        status: 204,
        headers: { ...anyOrigin, allow, 'access-control-allow-methods': allow },
      })
    if (method !== 'GET' && method !== 'HEAD')
      return context.locals.services.problem('method-not-allowed', { headers: { ...anyOrigin, allow } })
    const answer = await make(context)
    if (answer instanceof Response) return answer
    const body = new TextEncoder().encode(JSON.stringify(answer))
    return new Response(method === 'HEAD' ? null : body, {
      headers: {
        ...anyOrigin,
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(body.length),
        'cache-control': cacheControl,
      },
    })
  }
