import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasBody, limitRequests } from '../http/limit-requests.ts'
import type { Limiter, RequestClass } from '../http/limiter.ts'
import { requestIdOf } from '../http/request-id.ts'
import type { SecurityHeaders } from '../http/security-headers.ts'
import type { SendProblem } from '../http/send-problem.ts'
import type { Quote, QuoteTable } from '../payments/quote-table.ts'

interface Options {
  /** The precomputed prices: used for requests without body and payment, and for addresses over their limit. */
  readonly quotes: QuoteTable
  readonly limiter: Limiter
  readonly security: SecurityHeaders
  readonly sendProblem: SendProblem
  /** Whether the operator has blocked the sender; then no price is sent here, and the payment gate responds. */
  readonly isBlocked: (req: IncomingMessage) => boolean
  readonly fail: (req: IncomingMessage, res: ServerResponse, error: unknown) => void
}

/** Handles a request that is within the limits. */
type Pass = (req: IncomingMessage, res: ServerResponse, path: string) => void

/** Decides, before any work is done, what an address gets: it always gets prices; everything else is limited. */
export function makeAdmission({ quotes, limiter, security, sendProblem, isBlocked, fail }: Options) {
  const limit = limitRequests({ limiter, sendProblem })
  const quoteHeaders = Object.entries({ ...security('document'), ...quotes.headers }).flat()

  return { answerQuote, within }

  /**
   * Sends a precomputed 402, the most frequent response of a shop, before anything that costs time. The table only has
   * canonical paths.
   */
  function answerQuote(req: IncomingMessage, res: ServerResponse): boolean {
    const quote = carriesNothing(req) ? quotes.find(req) : undefined
    if (!quote || isBlocked(req)) return false
    // The request is counted but never refused, because a refusal would cost as much.
    void limiter.admit(req, res, 'quote')
    sendQuote(req, res, quote)
    return true
  }

  function sendQuote(req: IncomingMessage, res: ServerResponse, { header, body }: Quote): void {
    const own = ['x-request-id', requestIdOf(req), 'payment-required', header, 'content-length', String(body.length)]
    // Node writes a flat list of headers and a latin1 body fastest.
    res.writeHead(402, [...quoteHeaders, ...own]).end(body, 'latin1')
  }

  /** Handles the request if the address is within its limit. */
  function within(req: IncomingMessage, res: ServerResponse, path: string, pass: Pass): void {
    const requestClass = requestClassOf(req, path)
    const answers = { pass: () => pass(req, res, path), quote: () => quoteUnread(req, res) }
    limit(req, res, requestClass, answers)?.catch((error: unknown) => fail(req, res, error))
  }

  function requestClassOf(req: IncomingMessage, path: string): RequestClass {
    const { method = '', headers } = req
    if (!quotes.sells(method === 'HEAD' ? 'GET' : method, path)) return 'free'
    return method !== 'HEAD' && headers['payment-signature'] !== undefined ? 'payment' : 'quote'
  }

  /** Sends the advertised price to an address over its limit, without reading or computing anything for it. */
  function quoteUnread(req: IncomingMessage, res: ServerResponse): boolean {
    const method = req.method === 'HEAD' ? 'GET' : req.method
    const quote = isBlocked(req) ? undefined : quotes.find({ method, url: req.url, headers: {} })
    if (quote) sendQuote(req, res, quote)
    return quote !== undefined
  }
}

/** Whether a request has no body, no payment and no wallet, so that its price depends on the path alone. */
const carriesNothing = (req: IncomingMessage): boolean =>
  req.headers['payment-signature'] === undefined &&
  req.headers['sign-in-with-x'] === undefined &&
  req.headers['x-payment'] === undefined &&
  !hasBody(req)
