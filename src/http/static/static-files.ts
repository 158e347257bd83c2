import type { IncomingMessage, ServerResponse } from 'node:http'
import { chooseEncoding } from '../content-encoding.ts'
import { negotiatePage } from '../negotiate.ts'
import { siteHeaders, toPreflightHeaders } from '../preflight.ts'
import { requestIdOf } from '../request-id.ts'
import type { SecurityHeaders } from '../security-headers.ts'
import { rangeOf, sendBody, sendForm } from '../send-form.ts'
import type { SendProblem } from '../send-problem.ts'
import { keepFiles, type ReadKept } from './keep-files.ts'
import { type Alternates, findStaticFile, type StaticFile, type StaticForm } from './static-file.ts'
import type { StaticEntry, StaticManifest } from './static-manifest.ts'

/** Gives the file that is served at a URL while the program runs; `built` is the file of the build. */
export type ReplaceFile = (url: string, entry: StaticEntry, built: StaticFile) => StaticFile

interface Options {
  /** The build's `client` folder. */
  readonly client: string
  readonly manifest: StaticManifest
  readonly security: SecurityHeaders
  readonly sendProblem: SendProblem
  /** Called for pages with placeholders. */
  readonly replace?: ReplaceFile
  /** Files of earlier builds, served where this build has no file of that name. */
  readonly earlier?: ReadonlyMap<string, StaticFile>
  /** The cache of bytes; a separate one when absent. */
  readonly kept?: ReadKept | undefined
}

const allow = 'GET, HEAD, OPTIONS'

/**
 * Serves only what the manifest lists. A request path is looked up in a table, and no path on disk is ever made from
 * it.
 *
 * @example makeStaticFiles({ client, manifest, security, sendProblem }).serve(req, res, '/about')
 */
export function makeStaticFiles(options: Options) {
  const { client, manifest, security, sendProblem, replace, earlier, kept = keepFiles() } = options
  const folder = { client, kept }
  const files = new Map<string, StaticFile>()
  for (const [url, entry] of Object.entries(manifest)) {
    const alternate = entry.alternate === undefined ? undefined : manifest[entry.alternate]
    files.set(
      url,
      findStaticFile(folder, entry, security, {}, alternate && findAlternates(alternate, entry.alternate ?? '')),
    )
  }
  // The error pages are removed from the table, so that they are never served with 200.
  const failures = { 404: files.get('/404'), 500: files.get('/500') }
  for (const status of Object.keys(failures)) files.delete(`/${status}`)

  return {
    /** Files whose content never changes under their name: pages that are still open in browsers request them later. */
    lasting: new Map([...files].filter(([url]) => manifest[url]?.cache.includes('immutable'))),
    /** Sends the response when the path is in the build; otherwise leaves `res` alone and returns false. */
    serve(req: IncomingMessage, res: ServerResponse, path: string): boolean {
      const built = files.get(path) ?? earlier?.get(path)
      if (!built) return false
      const entry = manifest[path]
      const file = replace && entry?.placeholders !== undefined ? replace(path, entry, built) : built
      if (req.method === 'GET' || req.method === 'HEAD') {
        send(req, res, chooseType(req, file))
      } else if (req.method === 'OPTIONS') {
        const about = file.isPage
          ? { ...security('page'), allow }
          : { ...security('document'), ...toPreflightHeaders(allow, siteHeaders) }
        res.writeHead(204, { 'x-request-id': requestIdOf(req), ...about }).end()
      } else {
        sendProblem(req, res, 'method-not-allowed', { headers: { allow } })
      }
      return true
    },
    /** Whether there is a page at this path. */
    hasPage: (path: string): boolean => files.get(path)?.isPage ?? false,
    /** Responds with the site's own error page; false when the build has none. */
    serveFailure(req: IncomingMessage, res: ServerResponse, status: 404 | 500): boolean {
      const page = failures[status]
      if (!page) return false
      const form = chooseForm(req, page)
      const { etag: _tag, 'accept-ranges': _ranges, ...headers } = form.headers
      res.writeHead(status, { ...headers, 'x-request-id': requestIdOf(req), 'cache-control': 'no-store' })
      sendBody(req, res, form, { start: 0, end: form.size - 1 })
      return true
    },
  }

  /** The same bytes under two media types, with different ETags. */
  function findAlternates(alternate: StaticEntry, url: string): Alternates {
    const location = { 'content-location': url }
    const plain = { ...alternate, type: 'text/plain; charset=utf-8', etag: `${alternate.etag.slice(0, -1)}-plain"` }
    return {
      'text/markdown': findStaticFile(folder, alternate, security, location),
      'text/plain': findStaticFile(folder, plain, security, location),
    }
  }

  function send(req: IncomingMessage, res: ServerResponse, file: StaticFile): void {
    const range = rangeOf(req, file.identity)
    // Ranges refer to the uncompressed file, so a client that asks for a range never gets compressed bytes.
    const form = range ? file.identity : chooseForm(req, file)
    sendForm(req, res, form, { range, sendProblem })
  }
}

export type StaticFiles = ReturnType<typeof makeStaticFiles>

function chooseType({ headers }: IncomingMessage, file: StaticFile): StaticFile {
  const type = file.alternates ? negotiatePage(headers.accept) : 'text/html'
  return type === 'text/html' ? file : (file.alternates?.[type] ?? file)
}

const chooseForm = (req: IncomingMessage, { forms, encodings, identity }: StaticFile): StaticForm =>
  forms.get(chooseEncoding(headerOf(req, 'accept-encoding'), encodings)) ?? identity

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
