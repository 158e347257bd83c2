import type { IncomingMessage } from 'node:http'

const hostName = /^(?:[a-z0-9](?:[a-z0-9._-]{0,253}[a-z0-9])?\.?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i
/** A request target in absolute form, as clients send it to a proxy: scheme, host and path. */
const absolute = /^https?:\/\/([^/?#]*)([/?].*)?$/is

/**
 * Converts a target in absolute form to its path, and replaces `Host` by the host in it, as HTTP requires of every
 * server (RFC 9112, 3.2.2). The path stays as it was sent, because only its canonical spelling is accepted, as for any
 * path. A target in another form is not changed.
 */
function takeAbsolute(req: IncomingMessage): void {
  const [, host, rest = '/'] = absolute.exec(req.url ?? '') ?? []
  if (host === undefined || !hostName.test(host)) return
  req.url = rest.startsWith('?') ? `/${rest}` : rest
  req.headers.host = host
  const { rawHeaders } = req
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at])) rawHeaders[at + 1] = host
}

const isHost = (name: string | undefined): boolean => name?.length === 4 && name.toLowerCase() === 'host'

/**
 * Checks that a request has exactly one well-formed `Host`; HTTP/1.0 requests may have none. Converts an absolute
 * target to a path. The name of the host is not compared: links are made from the configured address only, so a false
 * name has no effect.
 */
export function readAddress(req: IncomingMessage): boolean {
  const { rawHeaders } = req
  let host: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (!isHost(rawHeaders[index])) continue
    if (host !== undefined) return false
    host = rawHeaders[index + 1]
  }
  if (host === undefined ? req.httpVersion !== '1.0' : !hostName.test(host)) return false
  if (req.url?.startsWith('/') === false) takeAbsolute(req)
  return true
}
