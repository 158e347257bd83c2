import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Gives a request its name, in place of whatever the client sent: it must be unique in our log. */
export function giveRequestId(req: IncomingMessage): void {
  req.headers['x-request-id'] = randomUUID()
}

/** The name of a request, for `X-Request-Id`, problems and the log. Endpoints behind the front read the same header. */
export const requestIdOf = (req: IncomingMessage): string => String(req.headers['x-request-id'])
