import type { IncomingMessage } from 'node:http'

/**
 * Who asks. A proxy appends the address it saw to `X-Forwarded-For`; everything before what our own proxies appended
 * was written by the caller and means nothing.
 *
 * @param trustedProxies how many proxies of the operator stand in front
 */
export function makeClientAddress(trustedProxies: number): (request: IncomingMessage) => string {
  return ({ headers, socket }) => {
    const peer = socket.remoteAddress ?? ''
    if (trustedProxies === 0) return peer
    const header = headers['x-forwarded-for']
    const seen = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((part) => part.trim())
    return seen.at(-trustedProxies) || peer
  }
}
