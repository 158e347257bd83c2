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

/** Finds what is answered at a URL while the program runs; `built` is the file as it was built. */
export type ReplaceFile = (url: string, entry: StaticEntry, built: StaticFile) => StaticFile

interface Options {
  /** The build's `client` folder. */
  readonly client: string
  readonly manifest: StaticManifest
  readonly security: SecurityHeaders
  readonly sendProblem: SendProblem
  /** Asked for pages with slots. */
  readonly replace?: ReplaceFile
  /** Files of earlier builds that are served where this one has none of their name. */
  readonly earlier?: ReadonlyMap<string, StaticFile>
  /** Where bytes are remembered; in a memory of its own when absent. */
  readonly kept?: ReadKept | undefined
}

const allow = 'GET, HEAD, OPTIONS'

/**
 * Serves what the manifest lists and nothing else: a request is a key of a table, and no path on disk is
 * ever made from it.
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
  // Pages of failures are never answered with 200.
  const failures = { 404: files.get('/404'), 500: files.get('/500') }
  for (const status of Object.keys(failures)) files.delete(`/${status}`)

  return {
    /** Those whose bytes never change under their names: pages that are open in browsers ask for them later. */
    lasting: new Map([...files].filter(([url]) => manifest[url]?.cache.includes('immutable'))),
    /** Answers when the path is one of the build's; otherwise leaves the response alone. */
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
    /** Whether a page lives at this path. */
    hasPage: (path: string): boolean => files.get(path)?.isPage ?? false,
    /** Answers with the site's own page for a failure; false when the build has none. */
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

  /** The same bytes under two types, told apart by their tags. */
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
    // Ranges are of the plain file: a caller that asks for a part of the bytes is not given compressed ones.
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
