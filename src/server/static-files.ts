import type { IncomingMessage, ServerResponse } from 'node:http'
import { chooseEncoding } from './content-encoding.ts'
import type { NarratedPage } from './narrated-pages.ts'
import { requestIdOf } from './request-id.ts'
import { preflightHeaders, type SecurityHeaders } from './security-headers.ts'
import { rangeOf, sendBody, sendForm } from './send-form.ts'
import type { SendProblem } from './send-problem.ts'
import { loadStaticFile, type StaticFile, type StaticForm, type StaticTwins } from './static-file.ts'
import type { StaticEntry, StaticManifest } from './static-manifest.ts'
import { wantedForm } from './wanted-form.ts'

/** The files of one build, as the front server answers with them. */
export interface StaticFiles {
  /** Answers when the path is one of the build's; otherwise leaves the response alone. */
  serve(req: IncomingMessage, res: ServerResponse, path: string): boolean
  /** Whether a page lives at this path. */
  hasPage(path: string): boolean
  /** Answers with the site's own page for a failure; false when the build has none. */
  serveFailure(req: IncomingMessage, res: ServerResponse, status: 404 | 500): boolean
}

interface Options {
  /** The build's `client` folder. */
  readonly client: string
  readonly manifest: StaticManifest
  readonly security: SecurityHeaders
  readonly sendProblem: SendProblem
  /** Shows on pages what is narrated by now. */
  readonly narratedPage?: NarratedPage
}

const allow = 'GET, HEAD, OPTIONS'

/**
 * Serves what the manifest lists and nothing else: a request is a key of a table, and no path on disk is
 * ever made from it.
 */
export function makeStaticFiles({ client, manifest, security, sendProblem, narratedPage }: Options): StaticFiles {
  const files = new Map<string, StaticFile>()
  for (const [url, entry] of Object.entries(manifest)) {
    const twin = entry.twin === undefined ? undefined : manifest[entry.twin]
    files.set(url, loadStaticFile(client, entry, security, {}, twin && loadTwins(twin, entry.twin ?? '')))
  }
  // Pages of failures are never answered with 200.
  const failures = { 404: files.get('/404'), 500: files.get('/500') }
  for (const status of Object.keys(failures)) files.delete(`/${status}`)

  return {
    serve(req, res, path) {
      const built = files.get(path)
      if (!built) return false
      const entry = manifest[path]
      const file = narratedPage && entry?.slots !== undefined ? narratedPage(path, entry, built) : built
      if (req.method === 'GET' || req.method === 'HEAD') {
        const wanted = wantedForm(req.headers.accept)
        send(req, res, file.twins && wanted !== 'html' ? file.twins[wanted] : file)
      } else if (req.method === 'OPTIONS') {
        const cors = file.isPage ? {} : { 'access-control-allow-methods': allow, ...preflightHeaders }
        res
          .writeHead(204, {
            'x-request-id': requestIdOf(req),
            ...security(file.isPage ? 'page' : 'document'),
            allow,
            ...cors,
          })
          .end()
      } else {
        sendProblem(req, res, 'method-not-allowed', { headers: { allow } })
      }
      return true
    },
    hasPage: (path) => files.get(path)?.isPage ?? false,
    serveFailure(req, res, status) {
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
  function loadTwins(twin: StaticEntry, url: string): StaticTwins {
    const location = { 'content-location': url }
    const plain = { ...twin, type: 'text/plain; charset=utf-8', etag: `${twin.etag.slice(0, -1)}-plain"` }
    return {
      markdown: loadStaticFile(client, twin, security, location),
      plain: loadStaticFile(client, plain, security, location),
    }
  }

  function send(req: IncomingMessage, res: ServerResponse, file: StaticFile): void {
    const range = rangeOf(req, file.identity)
    // Ranges are of the plain file: a caller that asks for a part of the bytes is not given compressed ones.
    const form = range ? file.identity : chooseForm(req, file)
    sendForm(req, res, form, { range, sendProblem })
  }
}

const chooseForm = (req: IncomingMessage, { forms, encodings, identity }: StaticFile): StaticForm =>
  forms.get(chooseEncoding(headerOf(req, 'accept-encoding'), encodings)) ?? identity

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
