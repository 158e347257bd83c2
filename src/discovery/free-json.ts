import type { APIContext, APIRoute } from 'astro'
import { freeDocument } from './free-document.ts'

/** A free document in JSON; what `make` returns is sent, a Response (a problem) as it is. */
export const freeJson = (cacheControl: string, make: (context: APIContext) => Promise<object | Response>): APIRoute =>
  freeDocument({ contentType: 'application/json; charset=utf-8', cacheControl }, async (context) => {
    const answer = await make(context)
    return answer instanceof Response ? answer : JSON.stringify(answer)
  })
