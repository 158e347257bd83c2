import type { APIContext } from 'astro'
import { siteHeaders, toPreflightHeaders } from '../http/preflight.ts'

const allow = 'GET, HEAD, OPTIONS'

/**
 * Responds to methods other than GET and HEAD: OPTIONS with the allowed methods, others with 405. Undefined for GET and
 * HEAD.
 */
export function answerOtherMethods({ request, locals }: Pick<APIContext, 'request' | 'locals'>): Response | undefined {
  const { method } = request
  if (method === 'GET' || method === 'HEAD') return undefined
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: toPreflightHeaders(allow, siteHeaders) })
  return locals.services.problem('method-not-allowed', { headers: { allow } })
}
