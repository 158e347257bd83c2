import type { APIContext, APIRoute } from 'astro'
import { sha256 } from '../core/sha256.ts'
import { asStream } from '../http/as-stream.ts'
import { isUnchanged } from '../http/conditional-request.ts'
import { shareReads } from '../payments/ledger/share-reads.ts'
import { answerOtherMethods } from './answer-other-methods.ts'
import { type SitePath, served } from './served.ts'

/**
 * Documents up to this length are encoded for each request: even many copies are small, and sharing them would cost
 * more.
 */
const longCharacters = 16 * 1024

/**
 * All who read the same version of a long document at the same time share its bytes, so that slow connections do not
 * each hold a copy.
 */
const writeLong = shareReads(async (_etag, text: string) => new TextEncoder().encode(text))

/** A document with the time of its last change, for conditional requests by date. */
interface Dated {
  readonly text: string
  readonly changedAt: Date
}

/**
 * A route of the running server for a free document: GET and HEAD, 304 if it is unchanged, CORS preflight, 405 for
 * other methods. `make` returns the body, with the time of its last change where that is known, or a Response (a
 * problem), which is sent as it is.
 */
export const freeDocument =
  (
    { contentType, cacheControl }: ReturnType<typeof served>,
    make: (context: APIContext) => Promise<string | Dated | Response>,
  ): APIRoute =>
  async (context) => {
    const { method, headers } = context.request
    const other = answerOtherMethods(context)
    if (other) return other
    const made = await make(context)
    if (made instanceof Response) return made
    const { text: answer, changedAt } = typeof made === 'string' ? { text: made } : made
    const etag = `"${sha256(answer).slice(0, 22)}"`
    const modified = changedAt?.toUTCString()
    const kept = { 'cache-control': cacheControl, etag, ...(modified !== undefined && { 'last-modified': modified }) }
    const has = {
      noneMatch: headers.get('if-none-match') ?? undefined,
      modifiedSince: headers.get('if-modified-since') ?? undefined,
    }
    if (isUnchanged(has, etag, modified)) return new Response(null, { status: 304, headers: kept })
    const long = answer.length > longCharacters ? await writeLong(etag, answer) : undefined
    const body = long === undefined ? answer : asStream(long)
    const length = long?.length ?? Buffer.byteLength(answer)
    return new Response(method === 'HEAD' ? null : body, {
      headers: { ...kept, 'content-type': contentType, 'content-length': String(length) },
    })
  }

/** A free document in JSON. A Response (a problem) from `make` is sent as it is. */
export const freeJson = (path: SitePath, make: (context: APIContext) => Promise<object | Response>): APIRoute =>
  freeDocument(served(path), async (context) => {
    const answer = await make(context)
    return answer instanceof Response ? answer : JSON.stringify(answer)
  })
