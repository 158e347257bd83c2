import { NotConnected } from '../../http/exchange.ts'
import { UpstreamError } from '../../http/fetch-json.ts'

/**
 * Statuses by which a server rejects a request unprocessed: malformed, not allowed, not paid for, too large or too
 * many.
 */
const turnedAway: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 410, 413, 415, 422, 429])

/** Whether the status of a response without a verdict says that the request was not processed. */
export const isTurnedAway = (status: number): boolean => turnedAway.has(status)

/**
 * Whether a failed request certainly had no effect: it did not reach the server, or was rejected unprocessed. After a
 * broken connection, a timeout or a server error the request may have been processed.
 */
export function wasUnsent(error: unknown): boolean {
  if (!(error instanceof UpstreamError)) return false
  if (error.status !== undefined) return isTurnedAway(error.status)
  return error.cause instanceof NotConnected
}
