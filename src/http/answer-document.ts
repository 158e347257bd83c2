import { sha256 } from '../core/sha256.ts'
import { isUnchanged } from './conditional-request.ts'

/** A text that is answered as it is, with the headers of its type and of keeping it. */
export interface Document {
  readonly text: string
  readonly contentType: string
  readonly cacheControl: string
}

/** Answers GET or HEAD with a document under a tag of its own (a digest), or with 304 whoever has it. */
export function answerDocument(request: Request, { text, contentType, cacheControl }: Document): Response {
  const etag = `"${sha256(text).slice(0, 22)}"`
  const kept = { 'cache-control': cacheControl, etag }
  if (isUnchanged({ noneMatch: request.headers.get('if-none-match') }, etag))
    return new Response(null, { status: 304, headers: kept })
  const body = new TextEncoder().encode(text)
  return new Response(request.method === 'HEAD' ? null : body, {
    headers: { ...kept, 'content-type': contentType, 'content-length': String(body.length) },
  })
}
