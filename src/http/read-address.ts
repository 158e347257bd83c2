import type { IncomingMessage } from 'node:http'

const hostName = /^(?:[a-z0-9](?:[a-z0-9._-]{0,253}[a-z0-9])?\.?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i
/** The target of a request as programs send it to a proxy: scheme, host, and what may follow. */
const absolute = /^https?:\/\/([^/?#]*)([/?].*)?$/is

/**
 * Reads a target in absolute form as the path that it names, and its host in place of `Host`, as HTTP wants it of every
 * server (RFC 9112, 3.2.2). What follows the host stays as it was sent: it is known by one spelling here, like any path. A
 * target that is not of this form stays what it is.
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
 * Whether a request carries exactly one well-formed `Host`, or is of HTTP/1.0, which has none; its target is a path then,
 * if it names one. Which host is not asked: links are made from the configured address only, so that a lie in it changes
 * nothing.
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
