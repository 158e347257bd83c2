import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { toLogText } from '../core/log.ts'
import { Problem, toProblemResponse } from '../core/problem.ts'
import { guardResponse } from '../http/guard-response.ts'
import type { Limiter } from '../http/limiter.ts'
import { answerFound, toNodeHandle } from '../http/node-handle.ts'
import { readCapped } from '../http/read-capped.ts'
import { requestIdOf } from '../http/request-id.ts'
import type { NodeHandle, Route } from '../http/route.ts'
import { type Found, makeRouteTable } from '../http/route-table.ts'
import { type SecurityHeaders, surfaceOf } from '../http/security-headers.ts'
import type { SendProblem } from '../http/send-problem.ts'
import { makeWriteShort } from '../http/short-document.ts'
import type { StaticFiles } from '../http/static/static-files.ts'
import { takeTarget } from '../http/take-target.ts'
import type { AnswerPlainly } from '../mcp/plain-answers.ts'
import type { Handler } from '../payments/gate.ts'
import type { QuoteTable } from '../payments/quote-table.ts'
import { routes } from '../routes/routes.ts'
import { makeAdmission } from './admission.ts'
import type { AstroHandler } from './astro-handler.ts'
import { makeFindPage } from './find-page.ts'
import { isPlainPayment, isRead, pathOf, queryOf, wantsPage, whenGone } from './request-facts.ts'
import type { ServeDeferred } from './serve-deferred.ts'
import type { Services } from './services.ts'

/** Logs that a request failed, under its id. */
type LogFailure = (event: 'server.error', fields: { requestId: string; error: string }) => void

/** The parts that handle requests, and those that decide about them. */
export interface RequestParts {
  /** The routes that are handled without Astro. */
  readonly routes: readonly Route<NodeHandle>[]
  /** The address of the client: that of the peer, or the one that a trusted proxy names. */
  readonly clientAddress: (req: IncomingMessage) => string
  /** The precomputed prices, for requests without body and payment. */
  readonly quotes: QuoteTable
  readonly limiter: Limiter
  /** Whether the operator has blocked an address. */
  readonly isBlocked: (address: string) => boolean
  readonly handler: AstroHandler
  readonly services: Services
  /** Handles the most frequent messages to the MCP tools without Astro; all go to `services.mcp` when absent. */
  readonly answerPlainly?: AnswerPlainly
  /** Sells the product at a path, for requests with a payment and nothing else; they go through Astro when absent. */
  readonly sellPlainly?: (path: string) => Handler['plainly'] | undefined
  /** The new paths of texts that were moved. */
  readonly redirects?: ReadonlyMap<string, string>
  readonly log: LogFailure
}

interface Options extends RequestParts {
  readonly baseUrl: string
  readonly security: SecurityHeaders
  readonly sendProblem: SendProblem
  readonly files: StaticFiles
  /** Serves the pictures that the build left to the site. */
  readonly serveDeferred?: ServeDeferred | undefined
}

const noRedirects: ReadonlyMap<string, string> = new Map()

/** Headers that a proxy sets and a client can forge. They are removed before other code sees the request. */
const forwarding = /^(?:forwarded|x-real-ip|x-forwarded-.*)$/

/**
 * Makes the request listener. Its order matters: only canonical paths are looked up; the price is checked before a file
 * is sent, so that a file with the path of a product is not given away; addresses over their limit are refused before
 * any work is done; Astro comes last.
 */
export function makeRequestListener(options: Options): (req: IncomingMessage, res: ServerResponse) => void {
  const { baseUrl, security, sendProblem, files, quotes, limiter, handler, services, log, clientAddress } = options
  const { redirects = noRedirects, answerPlainly } = options
  const { findPage, findMoved } = makeFindPage({ hasPage: files.hasPage, redirects })
  const find = makeRouteTable(options.routes)
  const { host: publicHost, protocol } = new URL(baseUrl)
  const publicProtocol = protocol.slice(0, -1)
  const writeShort = makeWriteShort(security)
  const { answerQuote, within } = makeAdmission({
    quotes,
    limiter,
    security,
    sendProblem,
    isBlocked: (req) => options.isBlocked(clientAddress(req)),
    fail: answerFailure,
  })

  return (req, res) => {
    try {
      route(req, res)
    } catch (error) {
      answerFailure(req, res, error)
    }
  }

  function route(req: IncomingMessage, res: ServerResponse): void {
    if (answerQuote(req, res)) return
    const target = takeTarget(req, res, sendProblem)
    if (target?.is === 'path') routePath(req, res, target.path)
    else if (target) {
      // Other sites link with a trailing slash, or to former addresses.
      const meant = target.is === 'near' && isRead(req) ? findPage(target.path) : undefined
      if (target.is === 'near' && meant !== undefined) redirect(req, res, meant + target.query)
      else answerNotFound(req, res)
    }
  }

  function routePath(req: IncomingMessage, res: ServerResponse, path: string): void {
    if (files.serve(req, res, path) || options.serveDeferred?.(req, res, path)) return
    const moved = isRead(req) ? findMoved(path) : undefined
    const found = find(req.method ?? '', path)
    if (moved !== undefined) redirect(req, res, moved + queryOf(req))
    else if (found) within(req, res, path, () => answerOwn(req, res, found))
    // Astro's built-in endpoints (/_image, /_server-islands, /_actions) are not part of this site.
    else if (path.startsWith('/_')) answerNotFound(req, res)
    // The body says what a tool call counts as, so calls are counted where it is read.
    else if (toolPaths.has(path) && req.method === 'POST') answerTools(req, res)
    else within(req, res, path, (isPlainPayment(req, path) && findSale(path)) || passOn)
  }

  /**
   * The handler that sells at a path without Astro, which would take as long as a whole delivery when many buyers come
   * at once.
   */
  function findSale(path: string): RequestListener | undefined {
    const sell = options.sellPlainly?.(path)
    return sell && ((req, res) => void answerPaid(req, res, sell).catch((error) => answerFailure(req, res, error)))
  }

  async function answerPaid(req: IncomingMessage, res: ServerResponse, sell: Handler['plainly']): Promise<void> {
    const { status, headers, body } = await sell({
      headers: req.headers,
      gone: whenGone(req, res),
      caller: clientAddress(req),
    })
    const surface = surfaceOf(status, headers['content-type'] ?? '')
    res.writeHead(status, { ...security(surface), 'x-request-id': requestIdOf(req), ...headers }).end(body ?? undefined)
  }

  /** Runs one of our own routes. Forwarding headers of the client are replaced by the true address and protocol. */
  function answerOwn(req: IncomingMessage, res: ServerResponse, found: Found<NodeHandle>): void {
    const { short } = found.route
    if (short && found.is === 'handler') {
      writeShort(short, req, res)?.catch((error: unknown) => answerFailure(req, res, error))
      return
    }
    const address = clientAddress(req)
    clean(req, res)
    req.headers['x-forwarded-for'] = address
    req.headers['x-forwarded-proto'] = publicProtocol
    answerFound(found, { req, res, sendProblem }).catch((error: unknown) => answerFailure(req, res, error))
  }

  function clean(req: IncomingMessage, res: ServerResponse): void {
    guard(req, res)
    // The Host header gets into URLs, so it is set to the public host.
    req.headers.host = publicHost
    for (const name of Object.keys(req.headers)) if (forwarding.test(name)) delete req.headers[name]
  }

  function passOn(req: IncomingMessage, res: ServerResponse): void {
    // Called before `clean`, which removes the header that the address is read from.
    const caller = limiter.forTools(req, res)
    clean(req, res)
    const context = { baseUrl, requestId: requestIdOf(req) }
    const problem: Services['problem'] = (kind, more) => toProblemResponse(new Problem(kind, more), context)
    const fail = (error: unknown) => answerFailure(req, res, error)
    const mcp: Services['mcp'] = (request) => services.mcp(request, caller)
    const paid: Services['paid'] = (path) => (request) => services.paid(path)(request, caller.caller)
    // A product that is no longer here may have been paid for.
    const answerFormer = async () => toNodeHandle(paid(pathOf(req)))(req, res, '')
    const next = (error?: unknown): void => {
      if (error !== undefined) fail(error)
      else if (req.headers['payment-signature'] === undefined) answerNotFound(req, res)
      else void answerFormer().catch(fail)
    }
    handler(req, res, next, { services: { ...services, paid, problem, mcp } }).catch(fail)
  }

  /**
   * Handles MCP calls. Short ones skip Astro, because programs call tools very often and Astro takes longer than most
   * calls.
   */
  function answerTools(req: IncomingMessage, res: ServerResponse): void {
    const bytes = Number(req.headers['content-length'])
    const isShort = bytes > 0 && bytes <= maxPlainBytes && req.url === pathOf(req)
    if (answerPlainly && isShort) tryPlainly(req, res, answerPlainly).catch((error) => answerFailure(req, res, error))
    else passOn(req, res)
  }

  async function tryPlainly(req: IncomingMessage, res: ServerResponse, answer: AnswerPlainly): Promise<void> {
    const limits = limiter.forTools(req, res)
    const body = await readCapped(req, maxPlainBytes)
    const requestId = requestIdOf(req)
    const plain = body && (await answer(req.headers, body.toString('utf8'), { requestId, limits }))
    if (plain) {
      const own = { 'content-type': 'application/json', 'x-request-id': requestId, 'content-length': plain.length }
      res.writeHead(200, { ...security('document'), ...own }).end(plain)
      return
    }
    // Express puts the parsed body here, and Astro looks here first.
    Object.assign(req, { body })
    passOn(req, res)
  }

  function guard(req: IncomingMessage, res: ServerResponse): void {
    const fail = () => answerFailure(req, res, undefined)
    guardResponse(res, { security, requestId: requestIdOf(req), answerFailure: fail })
  }

  function answerNotFound(req: IncomingMessage, res: ServerResponse): void {
    if (!wantsPage(req) || !files.serveFailure(req, res, 404)) sendProblem(req, res, 'not-found')
  }

  function answerFailure(req: IncomingMessage, res: ServerResponse, error: unknown): void {
    // The error comes from a client that left, so there is nobody to respond to.
    if (req.socket.destroyed) return
    const what = error === undefined ? 'a route threw; Astro printed the reason' : toLogText(error)
    log('server.error', { requestId: requestIdOf(req), error: `${req.method} ${pathOf(req)}: ${what}` })
    // An incomplete response must not look complete.
    if (res.headersSent) res.destroy()
    else if (!wantsPage(req) || !files.serveFailure(req, res, 500)) sendProblem(req, res, 'internal-error')
  }

  function redirect(req: IncomingMessage, res: ServerResponse, location: string): void {
    const headers = {
      location,
      'cache-control': 'no-cache',
      'content-length': 0,
      'x-request-id': requestIdOf(req),
    }
    res.writeHead(308, { ...security('document'), ...headers }).end()
  }
}

/** Longer than any plain message; a longer body is a text for a paid tool. */
const maxPlainBytes = 16 * 1024

/** The paths of MCP. */
const toolPaths: ReadonlySet<string> = new Set(
  routes.filter(({ host, by }) => host === 'site' && by === 'tools').map(({ path }) => path),
)
