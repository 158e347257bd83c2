import type { APIContext } from 'astro'
import { siteHeaders, toPreflightHeaders } from '../http/preflight.ts'

const allow = 'GET, HEAD, OPTIONS'

/** Answers every method but those that read: OPTIONS with what there is, the rest with 405; undefined for reading. */
export function answerOtherMethods({ request, locals }: Pick<APIContext, 'request' | 'locals'>): Response | undefined {
  const { method } = request
  if (method === 'GET' || method === 'HEAD') return undefined
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: toPreflightHeaders(allow, siteHeaders) })
  return locals.services.problem('method-not-allowed', { headers: { allow } })
}
