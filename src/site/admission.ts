import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasBody, limitRequests } from '../http/limit-requests.ts'
import type { Limiter, RequestClass } from '../http/limiter.ts'
import { requestIdOf } from '../http/request-id.ts'
import type { SecurityHeaders } from '../http/security-headers.ts'
import type { SendProblem } from '../http/send-problem.ts'
import type { Quote, QuoteTable } from '../payments/quote-table.ts'

interface Options {
  /** Asked only for requests that carry neither body nor payment, or when nothing more is read for an address. */
  readonly quotes: QuoteTable
  readonly limiter: Limiter
  readonly security: SecurityHeaders
  readonly sendProblem: SendProblem
  /** Whether the operator sells nothing to whoever sends this; the gate says so then. */
  readonly isBlocked: (req: IncomingMessage) => boolean
  readonly fail: (req: IncomingMessage, res: ServerResponse, error: unknown) => void
}

/** Answers a request that is within the limits. */
type Pass = (req: IncomingMessage, res: ServerResponse, path: string) => void

/** Decides what is done for an address, before anything is: prices are always told, the rest has limits. */
export function makeAdmission({ quotes, limiter, security, sendProblem, isBlocked, fail }: Options) {
  const limit = limitRequests({ limiter, sendProblem })
  const quoteHeaders = Object.entries({ ...security('document'), ...quotes.headers }).flat()

  return { answerQuote, within }

  /** The commonest answer of a shop comes before all that costs time: the table knows canonical paths only. */
  function answerQuote(req: IncomingMessage, res: ServerResponse): boolean {
    const quote = carriesNothing(req) ? quotes.find(req) : undefined
    if (!quote || isBlocked(req)) return false
    // Counted, but never refused: a refusal would cost as much.
    void limiter.admit(req, res, 'quote')
    sendQuote(req, res, quote)
    return true
  }

  function sendQuote(req: IncomingMessage, res: ServerResponse, { header, body }: Quote): void {
    const own = ['x-request-id', requestIdOf(req), 'payment-required', header, 'content-length', String(body.length)]
    // A flat list and one byte per character are what Node writes fastest.
    res.writeHead(402, [...quoteHeaders, ...own]).end(body, 'latin1')
  }

  /** Answers if the address has not asked too much already. */
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

  /** Whoever wants to buy still learns the advertised price, but nothing is read or worked out for it any more. */
  function quoteUnread(req: IncomingMessage, res: ServerResponse): boolean {
    const method = req.method === 'HEAD' ? 'GET' : req.method
    const quote = isBlocked(req) ? undefined : quotes.find({ method, url: req.url, headers: {} })
    if (quote) sendQuote(req, res, quote)
    return quote !== undefined
  }
}

/** No body, no payment and no wallet, so that the answer depends on the path alone. */
const carriesNothing = (req: IncomingMessage): boolean =>
  req.headers['payment-signature'] === undefined &&
  req.headers['sign-in-with-x'] === undefined &&
  req.headers['x-payment'] === undefined &&
  !hasBody(req)
