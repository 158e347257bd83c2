import type { IncomingMessage, ServerResponse } from 'node:http'
import { sha256 } from '../core/sha256.ts'
import { isUnchanged } from './conditional-request.ts'
import { requestIdOf } from './request-id.ts'
import type { Route, ShortDocument } from './route.ts'
import type { SecurityHeaders } from './security-headers.ts'

/** A path whose GET answers a short document. */
export const shortRoute = (path: Route['path'], document: ShortDocument): Route => ({
  path,
  short: document,
  handlers: {
    async GET(request) {
      const text = await document.read()
      const { status, headers } = toHead(document, text, request.headers.get('if-none-match'))
      return new Response(status === 304 || request.method === 'HEAD' ? null : text, { status, headers })
    },
  },
})

interface Asked {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly security: SecurityHeaders
}

/** Answers GET or HEAD with the document, as its handler does. Throws what its `read` throws, before anything is sent. */
export async function writeShort(document: ShortDocument, { req, res, security }: Asked): Promise<void> {
  const read = document.read()
  const text = typeof read === 'string' ? read : await read
  const { status, headers } = toHead(document, text, req.headers['if-none-match'])
  // A flat list is what Node writes fastest, and with a text of one byte per character in one piece.
  const list = Object.entries({ ...security('document'), 'x-request-id': requestIdOf(req), ...headers }).flat()
  res.writeHead(status, list)
  if (status === 304) res.end()
  else res.end(text, headers['content-length'] === String(text.length) ? 'latin1' : 'utf8')
}

function toHead(
  { contentType, cacheControl, hasTag }: ShortDocument,
  text: string,
  noneMatch: string | null | undefined,
): { readonly status: 200 | 304; readonly headers: Record<string, string> } {
  const etag = hasTag ? `"${sha256(text).slice(0, 22)}"` : undefined
  const kept = { 'cache-control': cacheControl, ...(etag !== undefined && { etag }) }
  if (etag !== undefined && isUnchanged({ noneMatch }, etag)) return { status: 304, headers: kept }
  const length = String(Buffer.byteLength(text))
  return { status: 200, headers: { ...kept, 'content-type': contentType, 'content-length': length } }
}
