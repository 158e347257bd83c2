import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SendProblem } from './send-problem.ts'

interface Refused {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly waitMs: number
  /** Whether money could be thought to be part of it. */
  readonly isPaid: boolean
}

/** Tells an address that it asked too much. What is left of its limit is in the headers already. */
export function sendRateLimited(sendProblem: SendProblem, { req, res, waitMs, isPaid }: Refused): void {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  const seconds = retryAfterSeconds === 1 ? 'a second' : `${retryAfterSeconds} seconds`
  sendProblem(req, res, 'rate-limited', {
    detail: `Your address asked too often; ask again in ${seconds}`,
    retryAfterSeconds,
    headers: { 'retry-after': String(retryAfterSeconds) },
    ...(isPaid && { charged: false }),
  })
}
