import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { siteHeaders, toPreflightHeaders } from '../http/preflight.ts'
import { requestIdOf } from '../http/request-id.ts'
import type { SecurityHeaders } from '../http/security-headers.ts'
import { rangeOf, sendForm } from '../http/send-form.ts'
import type { SendProblem } from '../http/send-problem.ts'
import { contentTypeOf } from '../http/static/content-type.ts'
import { toStaticFile } from '../http/static/static-file.ts'
import type { KeptFile } from '../images/image-cache.ts'
import type { DeferredPicture, DeferredPictureStore } from '../images/open-deferred-pictures.ts'

interface Options {
  readonly pictures: Pick<DeferredPictureStore, 'find' | 'draw'>
  readonly security: SecurityHeaders
  readonly sendProblem: SendProblem
  /** How long a request waits for a drawing, in milliseconds. */
  readonly patienceMs?: Patience
}

interface Patience {
  readonly page: number
  readonly preview: number
}

const usualPatience: Patience = { page: 1500, preview: 25_000 }
const folder = '/_astro/'
const allow = 'GET, HEAD, OPTIONS'
/** As for every file whose name contains its hash. */
const forever = 'public, max-age=31536000, immutable'
const detail = 'This picture is being drawn; try again'

/** Handles the request if its path is that of a picture that a build left to the site; returns whether it was. */
export type ServeDeferred = (req: IncomingMessage, res: ServerResponse, path: string) => boolean

/**
 * Draws pictures on request. Pages request AVIF and do not wait long: they get a placeholder of the same size that is
 * not cached. A JPEG, which link previews and old browsers request, is always the real picture, or a 503 with
 * `Retry-After`.
 */
export function makeServeDeferred({
  pictures,
  security,
  sendProblem,
  patienceMs = usualPatience,
}: Options): ServeDeferred {
  return (req, res, path) => {
    const picture = path.startsWith(folder) ? pictures.find(decodeURI(path.slice(folder.length))) : undefined
    if (!picture) return false
    if (req.method === 'GET' || req.method === 'HEAD') void answer(req, res, picture)
    else if (req.method === 'OPTIONS') {
      const about = { ...security('document'), ...toPreflightHeaders(allow, siteHeaders) }
      res.writeHead(204, { 'x-request-id': requestIdOf(req), ...about }).end()
    } else sendProblem(req, res, 'method-not-allowed', { headers: { allow } })
    return true
  }

  /** Never rejects, because a drawing does not. */
  async function answer(req: IncomingMessage, res: ServerResponse, picture: DeferredPicture): Promise<void> {
    const files = await within(pictures.draw(picture.drawing), patienceMs[picture.type === 'avif' ? 'page' : 'preview'])
    if (res.destroyed) return
    const file = files?.[picture.place]
    if (file) sendPicture(req, res, file)
    else if (picture.type === 'avif') await sendStandIn(req, res, picture)
    else sendProblem(req, res, 'busy', { retryAfterSeconds: 5, detail })
  }

  function sendPicture(req: IncomingMessage, res: ServerResponse, { name, path, bytes: size }: KeptFile): void {
    const type = contentTypeOf(name)
    // The name of the file contains the hash of its bytes.
    const entry = { type, cache: forever, etag: `"${name.replace(/^.*-|\.\w+$/g, '')}"` }
    const { identity } = toStaticFile(entry, new Map([['identity', { path, size, body: undefined }]]), security)
    sendForm(req, res, identity, { range: rangeOf(req, identity), sendProblem })
  }

  async function sendStandIn(req: IncomingMessage, res: ServerResponse, picture: DeferredPicture): Promise<void> {
    // Loaded on demand, because most sites never need it and it contains a large dictionary of motifs.
    const { drawStandIn } = await import('../images/stand-in.ts')
    const body = Buffer.from(drawStandIn(picture))
    const headers = { 'content-type': 'image/svg+xml', 'cache-control': 'no-store', 'content-length': body.length }
    res.writeHead(200, { ...security('media'), ...headers, 'x-request-id': requestIdOf(req) })
    res.end(req.method === 'HEAD' ? undefined : body)
  }
}

/** The value if it arrives within `ms`, else undefined. */
const within = async <Value>(value: Promise<Value>, ms: number): Promise<Value | undefined> => {
  const end = new AbortController()
  try {
    return await Promise.race([value, delay(ms, undefined, { signal: end.signal, ref: false })])
  } finally {
    end.abort()
  }
}
