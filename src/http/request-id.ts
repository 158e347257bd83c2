import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const name = 'x-request-id'
const isName = (given: string | undefined): boolean => given?.length === name.length && given.toLowerCase() === name

/** Gives a request its id. An id from the client is replaced, because ids must be unique in our log. */
export function giveRequestId(req: IncomingMessage): void {
  const id = randomUUID()
  req.headers[name] = id
  // Adapters that build a web `Request` read the raw headers.
  const { rawHeaders } = req
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) if (isName(rawHeaders[at])) rawHeaders.splice(at, 2)
  rawHeaders.push(name, id)
}

/** The id of a request, for `X-Request-Id`, problems and the log. Handlers behind the front read the same header. */
export const requestIdOf = (req: IncomingMessage): string => String(req.headers[name])

/** The id of a web request; a new one where no front gave it one. */
export const requestIdIn = ({ headers }: Pick<Request, 'headers'>): string => headers.get(name) ?? randomUUID()
