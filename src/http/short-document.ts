import type { IncomingMessage, ServerResponse } from 'node:http'
import { sha256 } from '../core/sha256.ts'
import { isUnchanged } from './conditional-request.ts'
import { requestIdOf } from './request-id.ts'
import type { Route, ShortDocument } from './route.ts'
import type { SecurityHeaders } from './security-headers.ts'

/** A route whose GET returns a short document. */
export const shortRoute = (path: Route['path'], document: ShortDocument): Route => ({
  path,
  short: document,
  handlers: {
    async GET(request) {
      const { text, etag, kept, whole } = toWritten(document, await document.read())
      if (etag !== undefined && isUnchanged({ noneMatch: request.headers.get('if-none-match') }, etag))
        return new Response(null, { status: 304, headers: toHeaders(kept) })
      return new Response(request.method === 'HEAD' ? null : text, { headers: toHeaders(whole) })
    },
  },
})

type About = Omit<ShortDocument, 'read'>

/** Makes a function that responds to GET or HEAD with a text. Nothing is cached. */
export function makeWriteText(
  security: SecurityHeaders,
): (about: About, text: string, req: IncomingMessage, res: ServerResponse) => void {
  const write = makeWrite(security)
  return (about, text, req, res) => write(toWritten(about, text), req, res)
}

/**
 * Makes a function that responds to GET or HEAD with a short document, as its handler would. The function throws what
 * `read` throws, before anything is sent; it returns a promise only where `read` does.
 */
export function makeWriteShort(
  security: SecurityHeaders,
): (document: ShortDocument, req: IncomingMessage, res: ServerResponse) => Promise<void> | undefined {
  const write = makeWrite(security)
  /** The last response of each document, reused while its text is the same, as for requests that shared one read. */
  const known = new WeakMap<ShortDocument, Written>()
  const writeText = (document: ShortDocument, text: string, req: IncomingMessage, res: ServerResponse): void => {
    const before = known.get(document)
    const written = before?.text === text ? before : toWritten(document, text)
    if (written !== before) known.set(document, written)
    write(written, req, res)
  }
  return (document, req, res) => {
    const read = document.read()
    if (typeof read !== 'string') return read.then((text) => writeText(document, text, req, res))
    writeText(document, read, req, res)
    return undefined
  }
}

function makeWrite(security: SecurityHeaders): (written: Written, req: IncomingMessage, res: ServerResponse) => void {
  const common = Object.entries(security('document')).flat()
  return ({ text, etag, kept, whole, encoding }, req, res) => {
    const own = [...common, 'x-request-id', requestIdOf(req)]
    if (etag !== undefined && isUnchanged({ noneMatch: req.headers['if-none-match'] }, etag))
      res.writeHead(304, [...own, ...kept]).end()
    // Node writes a flat list of headers fastest, and sends head and body in one piece when the text is latin1.
    else res.writeHead(200, [...own, ...whole]).end(text, encoding)
  }
}

interface Written {
  readonly text: string
  readonly etag: string | undefined
  /** The headers of a 304 (`kept`) and of a 200 (`whole`). */
  readonly kept: readonly string[]
  readonly whole: readonly string[]
  readonly encoding: 'latin1' | 'utf8'
}

function toWritten({ contentType, cacheControl, hasTag }: About, text: string): Written {
  const etag = hasTag ? `"${sha256(text).slice(0, 22)}"` : undefined
  const kept = ['cache-control', cacheControl, ...(etag === undefined ? [] : ['etag', etag])]
  const bytes = Buffer.byteLength(text)
  const whole = [...kept, 'content-type', contentType, 'content-length', String(bytes)]
  return { text, etag, kept, whole, encoding: bytes === text.length ? 'latin1' : 'utf8' }
}

const toHeaders = (list: readonly string[]): Headers =>
  new Headers(list.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, list[at + 1] ?? '']] : [])))
