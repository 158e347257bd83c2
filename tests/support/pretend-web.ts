import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext, TLSSocket } from 'node:tls'
import { type Certified, makeThrowAwayCa } from './throw-away-ca.ts'

/** A text is served as an HTML page. A function responds freely, and may break the connection. */
export type PretendPage =
  | string
  | { status?: number; headers?: Readonly<Record<string, string | readonly string[]>>; body?: string | Uint8Array }
  | RequestListener

/** Pages by path with query; `*` is for every other path, which is a 404 without it. */
export type PretendPages = Readonly<Record<string, PretendPage>>

/** Faults of a host that break HTTP itself. `plain`: before TLS. `spoken`: after it. */
export type PretendFault =
  | { is: 'plain'; speak: (socket: Socket) => void }
  | { is: 'spoken'; speak: (socket: TLSSocket) => void }
  | { is: 'certificate'; certified: Certified }

/**
 * A small web on loopback: many host names on one port, each with a certificate of a throw-away authority. Its pages
 * can be changed while it runs.
 */
export async function openPretendWeb(hosts: Record<string, PretendPages> = {}) {
  const ca = makeThrowAwayCa()
  const caFile = join(mkdtempSync(join(tmpdir(), 'farthing-web-')), 'ca.pem')
  writeFileSync(caFile, ca.cert)
  const certificates = new Map<string, Certified>()
  const faults = new Map<string, PretendFault>()
  const asked: { host: string; path: string; headers: IncomingMessage['headers'] }[] = []
  const sockets = new Set<Socket>()
  /** Sends bytes before the TLS handshake, when no host name is known yet. */
  let plain: ((socket: Socket) => void) | undefined

  const certified = (host: string): Certified => {
    const fault = faults.get(host)
    if (fault?.is === 'certificate') return fault.certified
    const known = certificates.get(host) ?? ca.certify(host)
    certificates.set(host, known)
    return known
  }
  const pages = createServer((request, response) => {
    const host = request.headers.host ?? ''
    const path = request.url ?? '/'
    asked.push({ host, path, headers: request.headers })
    const found = hosts[host]
    const page = found?.[path] ?? found?.['*'] ?? { status: 404, body: 'nothing here' }
    if (typeof page === 'function') page(request, response)
    else show(page, response)
  })
  const ports = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    if (plain) {
      plain(socket)
      return
    }
    const { cert, key } = certified('unnamed.test')
    const secure = new TLSSocket(socket, {
      isServer: true,
      cert,
      key,
      SNICallback: (host, done) => done(null, createSecureContext(certified(host))),
    })
    secure.on('error', () => {})
    secure.once('secure', () => {
      const fault = faults.get(String(secure.servername))
      if (fault?.is === 'spoken') fault.speak(secure)
      else pages.emit('connection', secure)
    })
  })
  ports.listen(0, '127.0.0.1')
  await once(ports, 'listening')
  const { port } = ports.address() as AddressInfo

  return {
    port,
    ca,
    /** The value for `EGRESS_TEST_CA`. */
    caFile,
    /** Every request that reached a page, in order. */
    asked,
    /** Sets the pages of a host. */
    serve(host: string, its: PretendPages) {
      hosts[host] = its
    },
    /** Sets the fault of a host; a `plain` one affects all hosts until it is removed. */
    fail(host: string, fault: PretendFault | undefined) {
      plain = fault?.is === 'plain' ? fault.speak : undefined
      if (fault) faults.set(host, fault)
      else faults.delete(host)
    },
    /** The value for `EGRESS_TEST_HOSTS`. */
    egress: (...names: readonly string[]) => names.map((name) => `${name}=127.0.0.1:${port}`).join(','),
    /** The same, as the configuration stores it. */
    testHosts: (...names: readonly string[]) => new Map(names.map((name) => [name, { address: '127.0.0.1', port }])),
    async close() {
      for (const socket of sockets) socket.destroy()
      ports.close()
      await once(ports, 'close')
    },
  }
}

export type PretendWeb = Awaited<ReturnType<typeof openPretendWeb>>

function show(page: Exclude<PretendPage, RequestListener>, response: ServerResponse) {
  const { status = 200, headers, body = '' } = typeof page === 'string' ? { body: page } : page
  const all = { 'content-type': 'text/html; charset=utf-8', ...headers }
  for (const [name, value] of Object.entries(all)) response.setHeader(name, value)
  response.writeHead(status).end(body)
}
