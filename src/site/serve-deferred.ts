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
  /** How long who asks waits for a drawing: one that looks at a page, and one that shows a preview of a link. */
  readonly patienceMs?: Patience
}

interface Patience {
  readonly page: number
  readonly preview: number
}

const usualPatience: Patience = { page: 1500, preview: 25_000 }
const folder = '/_astro/'
const allow = 'GET, HEAD, OPTIONS'
/** As of every file whose name says what its bytes are. */
const forever = 'public, max-age=31536000, immutable'
const detail = 'This picture is being drawn; try again'

/** Answers a request when its path is that of a picture that a build left to the site, and says whether it was. */
export type ServeDeferred = (req: IncomingMessage, res: ServerResponse, path: string) => boolean

/**
 * Draws what is asked for. Pages, which name AVIF, are not kept waiting: they get a stand-in of the same size that no
 * cache keeps. A JPEG, which previews of links and old browsers ask for, is always the true picture, or a fault that
 * says when to ask again.
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

  /** Never rejects: neither does a drawing. */
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
    // The kept file is named by its bytes.
    const entry = { type, cache: forever, etag: `"${name.replace(/^.*-|\.\w+$/g, '')}"` }
    const { identity } = toStaticFile(entry, new Map([['identity', { path, size, body: undefined }]]), security)
    sendForm(req, res, identity, { range: rangeOf(req, identity), sendProblem })
  }

  async function sendStandIn(req: IncomingMessage, res: ServerResponse, picture: DeferredPicture): Promise<void> {
    // Most sites never need it, and it knows every word that names a motif.
    const { drawStandIn } = await import('../images/stand-in.ts')
    const body = Buffer.from(drawStandIn(picture))
    const headers = { 'content-type': 'image/svg+xml', 'cache-control': 'no-store', 'content-length': body.length }
    res.writeHead(200, { ...security('media'), ...headers, 'x-request-id': requestIdOf(req) })
    res.end(req.method === 'HEAD' ? undefined : body)
  }
}

/** What comes in time. */
const within = async <Value>(value: Promise<Value>, ms: number): Promise<Value | undefined> => {
  const end = new AbortController()
  try {
    return await Promise.race([value, delay(ms, undefined, { signal: end.signal, ref: false })])
  } finally {
    end.abort()
  }
}
