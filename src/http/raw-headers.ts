import type { IncomingMessage } from 'node:http'

/** The headers of a request as they came over the connection, without later changes to `req.headers`. */
export function toRawHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  return headers
}
