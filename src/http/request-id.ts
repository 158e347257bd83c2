import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Gives a request its name, in place of whatever the client sent: it must be unique in our log. */
export function giveRequestId(req: IncomingMessage): void {
  const id = randomUUID()
  req.headers['x-request-id'] = id
  // Whoever copies a request as the web knows it gets these.
  const { rawHeaders } = req
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2)
    if (rawHeaders[at]?.toLowerCase() === 'x-request-id') rawHeaders.splice(at, 2)
  rawHeaders.push('x-request-id', id)
}

/** The name of a request, for `X-Request-Id`, problems and the log. Endpoints behind the front read the same header. */
export const requestIdOf = (req: IncomingMessage): string => String(req.headers['x-request-id'])

/** The same for handlers of requests as the web knows them; a name of its own where no front gave one. */
export const requestIdIn = ({ headers }: Pick<Request, 'headers'>): string =>
  headers.get('x-request-id') ?? randomUUID()
