import type { IncomingMessage } from 'node:http'
import { isIP, SocketAddress } from 'node:net'

/** The longest text that is parsed as an address: far more than an address and a port need. */
const maxWritten = 64

const undeclared =
  'X-Forwarded-For or Forwarded came with a request and was not believed. If a proxy of yours stands in front, all its callers are counted as one: set TRUSTED_PROXIES to the number of such proxies, and let each append to X-Forwarded-For'
const unread =
  'Forwarded came without X-Forwarded-For, which is the only one that is read: let your proxy append the caller to X-Forwarded-For, or all its callers are counted as one'

/**
 * Finds the address of a client. A proxy appends the address it saw to `X-Forwarded-For`; everything before what our
 * own proxies appended was written by the client and is not trusted. For a request that did not come through the
 * proxies, or whose proxy wrote no address, it is the address of the peer.
 *
 * @example makeClientAddress(1)(req) // '203.0.113.7'
 * @param trustedProxies the number of proxies of the operator in front of the program
 * @param note called at most once, when requests seem to come through a proxy that is not trusted
 */
export function makeClientAddress(
  trustedProxies: number,
  note: (text: string) => void = () => {},
): (request: IncomingMessage) => string {
  let hasNoted = false
  /** Anybody can send these headers, so the note is written only once and repeats nothing of them. */
  function noteOnce(text: string): void {
    if (hasNoted) return
    hasNoted = true
    note(text)
  }

  return ({ headers, socket }) => {
    const peer = socket.remoteAddress ?? ''
    const header = headers['x-forwarded-for']
    if (trustedProxies === 0) {
      if (header !== undefined || headers.forwarded !== undefined) noteOnce(undeclared)
      return peer
    }
    if (header === undefined) {
      if (headers.forwarded !== undefined) noteOnce(unread)
      return peer
    }
    const seen = (Array.isArray(header) ? header.join(',') : header).split(',')
    return readAddress(seen.at(-trustedProxies)?.trim() ?? '') ?? peer
  }
}

/** The canonical form of an address in `X-Forwarded-For`. Some proxies add the port, with brackets around IPv6. */
function readAddress(written: string): string | undefined {
  if (written.length > maxWritten) return undefined
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(written) ?? []
  const [address = ''] = (bracketed ?? plain ?? written).split('%', 1)
  const family = isIP(address)
  if (family !== 6) return family === 4 ? address : undefined
  return new SocketAddress({ address, family: 'ipv6' }).address
}
