import type { APIContext, APIRoute } from 'astro'
import { siteHeaders, toPreflightHeaders } from '../http/preflight.ts'

type Answer = (library: App.Locals['services']['library'], context: APIContext) => Promise<Response>

/** A route of the library with handlers for GET and POST; CORS preflight, 405 for other methods. */
export const libraryRoute =
  (answers: { readonly GET?: Answer; readonly POST?: Answer }): APIRoute =>
  async (context) => {
    const { request, locals } = context
    const { library, problem } = locals.services
    const allow = [...(answers.GET ? ['GET', 'HEAD'] : []), ...(answers.POST ? ['POST'] : []), 'OPTIONS'].join(', ')
    if (request.method === 'OPTIONS')
      return new Response(null, { status: 204, headers: toPreflightHeaders(allow, `${siteHeaders}, SIGN-IN-WITH-X`) })
    if (request.method === 'POST' && answers.POST) return answers.POST(library, context)
    if (!answers.GET || (request.method !== 'GET' && request.method !== 'HEAD'))
      return problem('method-not-allowed', { headers: { allow } })
    const answer = await answers.GET(library, context)
    return request.method === 'HEAD' ? new Response(null, answer) : answer
  }
