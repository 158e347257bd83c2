import type { APIContext, APIRoute } from 'astro'
import { answerDocument } from '../http/answer-document.ts'
import { answerOtherMethods } from './answer-other-methods.ts'
import { type SitePath, served } from './served.ts'

/**
 * A route of the running server that answers a free document: GET and HEAD, 304 for who has it, a preflight for other
 * origins, 405 for the rest. What `make` returns is the body; a Response (a problem) goes out as it is.
 */
export const freeDocument =
  (said: ReturnType<typeof served>, make: (context: APIContext) => Promise<string | Response>): APIRoute =>
  async (context) => {
    const other = answerOtherMethods(context)
    if (other) return other
    const answer = await make(context)
    return answer instanceof Response ? answer : answerDocument(context.request, { ...said, text: answer })
  }

/** A free document in JSON; what `make` returns is sent, a Response (a problem) as it is. */
export const freeJson = (path: SitePath, make: (context: APIContext) => Promise<object | Response>): APIRoute =>
  freeDocument(served(path), async (context) => {
    const answer = await make(context)
    return answer instanceof Response ? answer : JSON.stringify(answer)
  })
