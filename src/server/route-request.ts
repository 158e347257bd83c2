import type { IncomingMessage, ServerResponse } from 'node:http'
import { toLogText } from '../log.ts'
import type { QuoteTable } from '../payments/quote-table.ts'
import { Problem, toProblemResponse } from '../problem.ts'
import { makeAdmission } from './admission.ts'
import type { AstroHandler } from './build-folder.ts'
import { readTarget, type Target } from './canonical-path.ts'
import { guardResponse } from './guard-response.ts'
import { hasValidHost } from './host-header.ts'
import type { Meter } from './meter.ts'
import { requestIdOf } from './request-id.ts'
import type { SecurityHeaders } from './security-headers.ts'
import type { SendProblem } from './send-problem.ts'
import type { Services } from './services.ts'
import type { StaticFiles } from './static-files.ts'
import { asksForHtml } from './wanted-form.ts'

/** Answers one path by itself, without Astro. */
export type PlainHandler = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>

/** Answers every method for every path below a folder by itself, without Astro. */
export type FolderHandler = (req: IncomingMessage, res: ServerResponse, path: string) => void

/** Says that a request broke, under its id. */
export type LogFailure = (event: 'server.error', fields: { requestId: string; error: string }) => void

interface Options {
  readonly baseUrl: string
  readonly security: SecurityHeaders
  readonly sendProblem: SendProblem
  readonly files: StaticFiles
  readonly plain: ReadonlyMap<string, PlainHandler>
  /** By the first part of the path with both its slashes. */
  readonly folders: ReadonlyMap<string, FolderHandler>
  /** Answer every method of a path, or of every path below its first part with both slashes. */
  readonly whole: ReadonlyMap<string, PlainHandler>
  readonly clientAddress: (req: IncomingMessage) => string
  /** Asked only for requests that carry neither body nor payment. */
  readonly quotes: QuoteTable
  readonly meter: Meter
  readonly handler: AstroHandler
  readonly services: Services
  readonly log: LogFailure
}

/** A path in its one spelling, and the query as it was sent. */
type Place = { readonly path: string; readonly query: string }

/** Headers a proxy sets and a client can forge. Nothing here reads them, and nothing behind gets to. */
const forwarding = /^(?:forwarded|x-real-ip|x-forwarded-.*)$/

/**
 * Finds who answers a request. The order is the promise: only canonical paths are looked up; a price is asked
 * before a file is sent, so a file that carries the name of a product is not given away; an address that asked too
 * much is refused before anything is worked out for it; Astro comes last.
 */
export function makeRouter(options: Options): (req: IncomingMessage, res: ServerResponse) => void {
  const {
    baseUrl,
    security,
    sendProblem,
    files,
    plain,
    folders,
    whole,
    quotes,
    meter,
    handler,
    services,
    log,
    clientAddress,
  } = options
  const { host: publicHost, protocol } = new URL(baseUrl)
  const publicProtocol = protocol.slice(0, -1)
  const { answerQuote, within } = makeAdmission({ quotes, meter, security, sendProblem, fail: answerFailure })

  return (req, res) => {
    try {
      route(req, res)
    } catch (error) {
      answerFailure(req, res, error)
    }
  }

  function route(req: IncomingMessage, res: ServerResponse): void {
    if (!hasValidHost(req.rawHeaders)) sendProblem(req, res, 400, { detail: 'Send one well-formed Host header' })
    else if (!answerQuote(req, res)) routeTarget(req, res, readTarget(req.url ?? ''))
  }

  function routeTarget(req: IncomingMessage, res: ServerResponse, target: Target): void {
    if (req.method === 'TRACE') sendProblem(req, res, 'method-not-allowed', { headers: { allow } })
    else if (target.is === 'path') routePath(req, res, target.path)
    else if (target.is === 'slashed' && isRead(req) && files.hasPage(target.path)) redirect(req, res, target)
    else if (target.is === 'absolute')
      sendProblem(req, res, 400, { detail: 'Send the path alone as the request target' })
    else if (target.is === 'too-long')
      sendProblem(req, res, 414, { detail: 'A path with its query may have 8192 characters' })
    else answerNotFound(req, res)
  }

  function routePath(req: IncomingMessage, res: ServerResponse, path: string): void {
    const own = plain.get(path)
    if (!own && files.serve(req, res, path)) return
    const above = path.slice(0, path.indexOf('/', 1) + 1)
    const folder = own ? undefined : folders.get(above)
    const other = whole.get(path) ?? whole.get(above)
    if (own) within(req, res, path, () => answerPlain(req, res, own))
    else if (folder) within(req, res, path, folder)
    else if (other) within(req, res, path, () => passToOther(req, res, other))
    // Astro's own endpoints (/_image, /_server-islands, /_actions) are no part of this site.
    else if (path.startsWith('/_')) answerNotFound(req, res)
    // What tools are asked is in the body, so they are counted where it is read.
    else if (toolPaths.has(path) && req.method === 'POST') passOn(req, res)
    else within(req, res, path, passOn)
  }

  function answerPlain(req: IncomingMessage, res: ServerResponse, own: PlainHandler): void {
    if (isRead(req)) {
      guard(req, res)
      Promise.try(own, req, res).catch((error: unknown) => answerFailure(req, res, error))
    } else sendProblem(req, res, 'method-not-allowed', { headers: { allow: 'GET, HEAD' } })
  }

  /** Says in place of what others may have claimed how the site is reached, and by whom. */
  function passToOther(req: IncomingMessage, res: ServerResponse, other: PlainHandler): void {
    const address = clientAddress(req)
    clean(req, res)
    req.headers['x-forwarded-for'] = address
    req.headers['x-forwarded-proto'] = publicProtocol
    Promise.try(other, req, res).catch((error: unknown) => answerFailure(req, res, error))
  }

  function clean(req: IncomingMessage, res: ServerResponse): void {
    guard(req, res)
    // The client's Host gets into addresses; behind here there is only one.
    req.headers.host = publicHost
    for (const name of Object.keys(req.headers)) if (forwarding.test(name)) delete req.headers[name]
  }

  function passOn(req: IncomingMessage, res: ServerResponse): void {
    // Who asks is said by a header that is gone afterwards.
    const admission = meter.admitTools(req, res)
    clean(req, res)
    const context = { baseUrl, requestId: requestIdOf(req) }
    const problem: Services['problem'] = (kind, more) => toProblemResponse(new Problem(kind, more), context)
    const fail = (error: unknown) => answerFailure(req, res, error)
    const next = (error?: unknown) => (error === undefined ? answerNotFound(req, res) : fail(error))
    const mcp: Services['mcp'] = (request) => services.mcp(request, admission)
    const paid: Services['paid'] = (offerId) => (request) => services.paid(offerId)(request, admission.caller)
    handler(req, res, next, { services: { ...services, paid, problem, mcp } }).catch(fail)
  }

  function guard(req: IncomingMessage, res: ServerResponse): void {
    const fail = () => answerFailure(req, res, undefined)
    guardResponse(res, { security, requestId: requestIdOf(req), answerFailure: fail })
  }

  function answerNotFound(req: IncomingMessage, res: ServerResponse): void {
    if (!wantsPage(req) || !files.serveFailure(req, res, 404)) sendProblem(req, res, 'not-found')
  }

  function answerFailure(req: IncomingMessage, res: ServerResponse, error: unknown): void {
    // A caller who went away broke it off, and nobody is left to tell.
    if (req.socket.destroyed) return
    const what = error === undefined ? 'a route threw; Astro printed the reason' : toLogText(error)
    log('server.error', { requestId: requestIdOf(req), error: `${req.method} ${pathOf(req)}: ${what}` })
    // Half an answer must not look like a whole one.
    if (res.headersSent) res.destroy()
    else if (!wantsPage(req) || !files.serveFailure(req, res, 500)) sendProblem(req, res, 'internal-error')
  }

  function redirect(req: IncomingMessage, res: ServerResponse, { path, query }: Place): void {
    const headers = {
      location: path + query,
      'cache-control': 'no-cache',
      'content-length': 0,
      'x-request-id': requestIdOf(req),
    }
    res.writeHead(308, { ...security('document'), ...headers }).end()
  }
}

/** Where tools are called (MCP). */
const toolPaths: ReadonlySet<string> = new Set(['/api/mcp', '/mcp'])

/** What the site answers at all. */
const allow = 'GET, HEAD, POST, OPTIONS'

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? ''

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD'

/** Whether a person is looking for a page: not for a document, and not through the API. */
const wantsPage = (req: IncomingMessage): boolean =>
  isRead(req) && !/^\/api(?:\/|$)|\.[^/]*$/.test(pathOf(req)) && asksForHtml(req.headers.accept)
