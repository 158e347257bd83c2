import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Quote, QuoteTable } from '../payments/quote-table.ts'
import type { Errand, Meter } from './meter.ts'
import { sendRateLimited } from './rate-limited.ts'
import { requestIdOf } from './request-id.ts'
import type { SecurityHeaders } from './security-headers.ts'
import type { SendProblem } from './send-problem.ts'

interface Options {
  /** Asked only for requests that carry neither body nor payment, or when nothing more is read for an address. */
  readonly quotes: QuoteTable
  readonly meter: Meter
  readonly security: SecurityHeaders
  readonly sendProblem: SendProblem
  readonly fail: (req: IncomingMessage, res: ServerResponse, error: unknown) => void
}

/** Answers a request that is within the limits. */
type Pass = (req: IncomingMessage, res: ServerResponse, path: string) => void

/** Decides what is done for an address, before anything is: prices are always told, the rest has limits. */
export function makeAdmission({ quotes, meter, security, sendProblem, fail }: Options) {
  const quoteHeaders = Object.entries({ ...security('document'), ...quotes.headers }).flat()

  return { answerQuote, within }

  /** The commonest answer of a shop comes before all that costs time: the table knows canonical paths only. */
  function answerQuote(req: IncomingMessage, res: ServerResponse): boolean {
    const quote = carriesNothing(req) ? quotes.find(req) : undefined
    if (!quote) return false
    // Counted, but never refused: a refusal would cost as much.
    void meter.admit(req, res, 'quote')
    sendQuote(req, res, quote)
    return true
  }

  function sendQuote(req: IncomingMessage, res: ServerResponse, { header, body }: Quote): void {
    const own = ['x-request-id', requestIdOf(req), 'payment-required', header, 'content-length', String(body.length)]
    // A flat list and one byte per character are what Node writes fastest.
    res.writeHead(402, [...quoteHeaders, ...own]).end(body, 'latin1')
  }

  /** Answers if the address has not asked too much already; waits only where the ledger must be asked first. */
  function within(req: IncomingMessage, res: ServerResponse, path: string, pass: Pass): void {
    const errand = errandOf(req, path)
    const decide = (waitMs: number): void => {
      if (waitMs === 0) pass(req, res, path)
      else refuseMore(req, res, errand, waitMs)
    }
    const waitMs = meter.admit(req, res, errand)
    if (typeof waitMs === 'number') decide(waitMs)
    else waitMs.then(decide).catch((error: unknown) => fail(req, res, error))
  }

  function errandOf(req: IncomingMessage, path: string): Errand {
    const { method = '', headers } = req
    if (!quotes.sells(method === 'HEAD' ? 'GET' : method, path)) return 'free'
    return method !== 'HEAD' && headers['payment-signature'] !== undefined ? 'payment' : 'quote'
  }

  /** Whoever wants to buy still learns the advertised price, but nothing is read or worked out for it any more. */
  function refuseMore(req: IncomingMessage, res: ServerResponse, errand: Errand, waitMs: number): void {
    const method = req.method === 'HEAD' ? 'GET' : req.method
    const quote = errand === 'quote' ? quotes.find({ method, url: req.url, headers: {} }) : undefined
    // What is left unread of the request would be taken for the next one.
    if (!carriesNothing(req)) res.shouldKeepAlive = false
    if (quote) sendQuote(req, res, quote)
    else sendRateLimited(sendProblem, { req, res, waitMs, isPaid: errand !== 'free' })
  }
}

/** No body and no payment, so that the answer depends on the path alone. */
const carriesNothing = ({ headers }: IncomingMessage): boolean =>
  headers['payment-signature'] === undefined &&
  headers['x-payment'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  (headers['content-length'] ?? '0') === '0'
