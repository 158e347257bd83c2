import { z } from 'zod'
import { UpstreamError } from '../../http/fetch-json.ts'

/**
 * Statuses by which a server rejects a request unprocessed: malformed, not allowed, not paid for, too large or too
 * many.
 */
const turnedAway: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 410, 413, 415, 422, 429])

/** Whether the status of a response without a verdict says that the request was not processed. */
export const isTurnedAway = (status: number): boolean => turnedAway.has(status)

const failure = z.object({ syscall: z.string().optional(), code: z.string().optional() })
const several = z.object({ errors: z.array(failure).min(1) })

/** Whether an error happened before there was a connection, so that nothing can have been sent. */
const isBeforeConnection = ({ syscall, code }: z.output<typeof failure>): boolean =>
  syscall === 'connect' || syscall === 'getaddrinfo' || code === 'UND_ERR_CONNECT_TIMEOUT'

/**
 * Whether a failed request certainly had no effect: it did not reach the server, or was rejected unprocessed. After a
 * broken connection, a timeout or a server error the request may have been processed.
 */
export function wasUnsent(error: unknown): boolean {
  if (!(error instanceof UpstreamError)) return false
  if (error.status !== undefined) return isTurnedAway(error.status)
  const cause = error.cause instanceof Error ? error.cause.cause : undefined
  // A host name with several addresses fails with one error for each.
  const read = several.safeParse(cause)
  if (read.success) return read.data.errors.every(isBeforeConnection)
  const one = failure.safeParse(cause)
  return one.success && isBeforeConnection(one.data)
}
