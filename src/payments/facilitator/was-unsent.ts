import { z } from 'zod'
import { UpstreamError } from '../../http/fetch-json.ts'

/** Answers of somebody who did not take the request in: it was not understood, not allowed, not paid for, too much. */
const turnedAway: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 410, 413, 415, 422, 429])

/** Whether an answer without a verdict says that nothing was done with the request. */
export const isTurnedAway = (status: number): boolean => turnedAway.has(status)

const failure = z.object({ syscall: z.string().optional(), code: z.string().optional() })
const several = z.object({ errors: z.array(failure).min(1) })

/** Before a connection there is nothing that could have been sent. */
const isBeforeConnection = ({ syscall, code }: z.output<typeof failure>): boolean =>
  syscall === 'connect' || syscall === 'getaddrinfo' || code === 'UND_ERR_CONNECT_TIMEOUT'

/**
 * Whether a request that failed can have had no effect: it never reached anybody, or was turned away at the door.
 * A connection that broke, an answer that did not come and an error of the server prove nothing.
 */
export function wasUnsent(error: unknown): boolean {
  if (!(error instanceof UpstreamError)) return false
  if (error.status !== undefined) return isTurnedAway(error.status)
  const cause = error.cause instanceof Error ? error.cause.cause : undefined
  // A name with several addresses fails at each of them.
  const read = several.safeParse(cause)
  if (read.success) return read.data.errors.every(isBeforeConnection)
  const one = failure.safeParse(cause)
  return one.success && isBeforeConnection(one.data)
}
