import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Certified } from './throw-away-ca.ts'

/** Faults of a badly configured proxy. */
export interface ProxyFaults {
  /** Request headers that are removed. */
  strips?: readonly string[]
  /** Response headers that are removed. */
  hides?: readonly string[]
  /** The maximum size in bytes of request headers, or of response headers. */
  mostRequestBytes?: number
  mostAnswerBytes?: number
  /** Handles upgrade requests like any other request. */
  refusesUpgrades?: boolean
  /** How `X-Forwarded-For` is handled; `appended` is correct, and the default. */
  forwardedFor?: 'appended' | 'passed on' | 'left out' | 'appended twice' | 'written anew'
  /** Caches the first response for each path. */
  caches?: boolean
  /** Replaces a 402 by an error page of its own. */
  coversErrors?: boolean
}

const sizeOf = (headers: IncomingHttpHeaders): number =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + String(value).length + 4, 0)

/**
 * A TLS proxy on a free port of loopback in front of one program. `to` is the port of the program, where nothing has to
 * listen; `faults` may be changed at any time.
 */
export async function startFaultyProxy({ cert, key }: Certified) {
  const state: { faults: ProxyFaults; to: number } = { faults: {}, to: 9 }
  const kept = new Map<string, { status: number; headers: IncomingHttpHeaders; body: Buffer }>()

  function toForwarded(req: IncomingMessage): IncomingHttpHeaders {
    const given = String(req.headers['x-forwarded-for'] ?? '')
    const caller = String(req.socket.remoteAddress)
    const appended = [given, caller].filter(Boolean).join(', ')
    const { 'x-forwarded-for': _, ...headers } = req.headers
    const { forwardedFor = 'appended' } = state.faults
    switch (forwardedFor) {
      case 'left out':
        return headers
      case 'passed on':
        return given === '' ? headers : { ...headers, 'x-forwarded-for': given }
      case 'written anew':
        return { ...headers, 'x-forwarded-for': caller }
      case 'appended twice':
        return { ...headers, 'x-forwarded-for': `${appended}, 10.0.0.7` }
      case 'appended':
        return { ...headers, 'x-forwarded-for': appended }
    }
  }

  function toUpstream(req: IncomingMessage) {
    const headers = toForwarded(req)
    for (const name of state.faults.strips ?? []) delete headers[name]
    return request({ host: '127.0.0.1', port: state.to, method: req.method, path: req.url, headers })
  }

  function answer(req: IncomingMessage, res: ServerResponse): void {
    const { mostRequestBytes = Infinity, mostAnswerBytes = Infinity, hides = [], caches, coversErrors } = state.faults
    const refuse = (status: number) => res.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>')
    if (sizeOf(req.headers) > mostRequestBytes) {
      refuse(400)
      return
    }
    const known = caches ? kept.get(String(req.url)) : undefined
    if (known) {
      res.writeHead(known.status, known.headers).end(known.body)
      return
    }
    const upstream = toUpstream(req)
    upstream.on('error', () => refuse(502))
    upstream.on('response', (from) => {
      const status = from.statusCode ?? 0
      if (sizeOf(from.headers) > mostAnswerBytes) {
        from.resume()
        refuse(502)
        return
      }
      if (coversErrors && status === 402) {
        from.resume()
        refuse(200)
        return
      }
      const headers = { ...from.headers }
      for (const name of hides) delete headers[name]
      from.toArray().then((chunks) => {
        const body = Buffer.concat(chunks)
        kept.set(String(req.url), { status, headers, body })
        res.writeHead(status, headers).end(body)
      }, refuse)
    })
    req.pipe(upstream)
  }

  function upgrade(req: IncomingMessage, socket: Duplex): void {
    socket.on('error', () => {})
    const upstream = toUpstream(req)
    upstream.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'))
    upstream.on('upgrade', (from, other) => {
      other.on('error', () => {})
      const lines = Object.entries(from.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
      socket.pipe(other).pipe(socket)
    })
    upstream.end()
  }

  // Without an upgrade listener, Node.js handles an upgrade request like any other.
  const server = createServer({ cert, key, maxHeaderSize: 64 * 1024 }, answer)
  server.on('upgrade', (req, socket) => {
    if (!state.faults.refusesUpgrades) upgrade(req, socket)
    else socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    /** Forwards requests to this port from now on. */
    lead(to: number): void {
      state.to = to
    },
    set(faults: ProxyFaults): void {
      state.faults = faults
      kept.clear()
    },
    /** Uses another certificate for new connections. */
    show: ({ cert, key }: Certified): void => server.setSecureContext({ cert, key }),
    close(): void {
      server.closeAllConnections()
      server.close()
    },
  }
}
