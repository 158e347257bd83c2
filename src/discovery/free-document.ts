import type { APIContext, APIRoute } from 'astro'
import { isNoneMatch } from '../entity-tag.ts'
import { sha256 } from '../sha256.ts'

const allow = 'GET, HEAD, OPTIONS'
const anyOrigin = { 'access-control-allow-origin': '*' }

interface Kind {
  readonly contentType: string
  readonly cacheControl: string
}

/**
 * A route of the running server that answers a free document: GET and HEAD, 304 for who has it, a preflight for other
 * origins, 405 for the rest. What `make` returns is the body; a Response (a problem) goes out as it is.
 */
export const freeDocument =
  ({ contentType, cacheControl }: Kind, make: (context: APIContext) => Promise<string | Response>): APIRoute =>
  async (context) => {
    const { method, headers } = context.request
    if (method === 'OPTIONS')
      return new Response(null, {
        status: 204,
        headers: { ...anyOrigin, allow, 'access-control-allow-methods': allow },
      })
    if (method !== 'GET' && method !== 'HEAD')
      return context.locals.services.problem('method-not-allowed', { headers: { ...anyOrigin, allow } })
    const answer = await make(context)
    if (answer instanceof Response) return answer
    const etag = `"${sha256(answer).slice(0, 22)}"`
    const kept = { ...anyOrigin, 'cache-control': cacheControl, etag }
    if (isNoneMatch(headers.get('if-none-match') ?? undefined, etag))
      return new Response(null, { status: 304, headers: kept })
    const body = new TextEncoder().encode(answer)
    return new Response(method === 'HEAD' ? null : body, {
      headers: { ...kept, 'content-type': contentType, 'content-length': String(body.length) },
    })
  }
