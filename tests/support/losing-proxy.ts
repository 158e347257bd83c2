import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Whether a response delivers a paid product: over HTTP a header says so, over MCP a line of the result. */
const isPaid = ({ headers }: IncomingMessage, body: string): boolean =>
  headers['payment-response'] !== undefined || /"x402\/payment-response":\{"success":true/.test(body)

/** A proxy on a free loopback port that can lose the response to a payment: the shop sends it, the buyer gets none. */
export async function startLosingProxy(to: number) {
  const state = { isLosing: false, lost: 0 }

  function answer(req: IncomingMessage, res: ServerResponse): void {
    const { method, url: path, headers } = req
    const upstream = request({ host: '127.0.0.1', port: to, method, path, headers })
    upstream.on('error', () => res.destroy())
    upstream.on('response', (from) => {
      const pass = () => res.writeHead(from.statusCode ?? 502, from.headers)
      if (!state.isLosing) {
        from.pipe(pass())
        return
      }
      text(from.setEncoding('latin1')).then(
        (body) => {
          if (!isPaid(from, body)) {
            pass().end(body, 'latin1')
            return
          }
          state.isLosing = false
          state.lost += 1
          res.destroy()
        },
        () => res.destroy(),
      )
    })
    req.pipe(upstream)
  }

  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    /** Loses the next response that delivers a product. */
    loseNext(): void {
      state.isLosing = true
    },
    /** The number of responses lost so far. */
    lost: () => state.lost,
    close(): void {
      server.closeAllConnections()
      server.close()
    },
  }
}
