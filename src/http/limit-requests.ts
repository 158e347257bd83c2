import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Limiter, RequestClass } from './limiter.ts'
import type { SendProblem } from './send-problem.ts'

interface Options {
  readonly limiter: Limiter
  readonly sendProblem: SendProblem
}

interface Answers {
  readonly pass: () => void
  /** Tells the price to an address that asks too often for prices, from what costs nothing; false where it cannot. */
  readonly quote: () => boolean
}

type Limit = (
  req: IncomingMessage,
  res: ServerResponse,
  requestClass: RequestClass,
  answers: Answers,
) => Promise<void> | void

/**
 * Lets requests pass that are within the limits of their address, and tells the others how long to wait. What is left
 * of a limit is in the headers already. Waits only where the ledger must be asked first.
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
      // What is left unread of the request would be taken for the next one.
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
