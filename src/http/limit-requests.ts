import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Limiter, RequestClass } from './limiter.ts'
import type { SendProblem } from './send-problem.ts'

interface Options {
  readonly limiter: Limiter
  readonly sendProblem: SendProblem
}

interface Answers {
  readonly pass: () => void
  /** Sends a precomputed price to an address that is over the limit for prices; false where there is none. */
  readonly quote: () => boolean
}

type Limit = (
  req: IncomingMessage,
  res: ServerResponse,
  requestClass: RequestClass,
  answers: Answers,
) => Promise<void> | void

/**
 * Lets requests within the limits of their address pass, and responds 429 with the time to wait to the others.
 * `limiter` has set the headers about the limit already. It is asynchronous only where the ledger must be asked first.
 *
 * @example const limit = limitRequests({ limiter, sendProblem }); await limit(req, res, 'free', { pass, quote })
 */
export function limitRequests({ limiter, sendProblem }: Options): Limit {
  return (req, res, requestClass, { pass, quote }) => {
    const decide = (waitMs: number): void => {
      if (waitMs === 0) {
        pass()
        return
      }
      // The connection is closed after the response, because the unread body would be taken for the next request.
      if (hasBody(req)) res.shouldKeepAlive = false
      if (requestClass === 'quote' && quote()) return
      const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
      const seconds = retryAfterSeconds === 1 ? 'a second' : `${retryAfterSeconds} seconds`
      sendProblem(req, res, 'rate-limited', {
        detail: `Your address asked too often; ask again in ${seconds}`,
        retryAfterSeconds,
        ...(requestClass !== 'free' && { charged: false }),
      })
    }
    const waitMs = limiter.admit(req, res, requestClass)
    return typeof waitMs === 'number' ? decide(waitMs) : waitMs.then(decide)
  }
}

/** Whether a request announces a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
