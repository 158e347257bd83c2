import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

/**
 * A proxy before programs that serve the same site: it asks them in turn, and the next one when a connection is refused,
 * as nginx does with `proxy_next_upstream error`. A request that was sent is never sent again.
 */
export async function startTurns(first: readonly number[]) {
  let ports = first
  let turn = 0

  function pass(req: IncomingMessage, res: ServerResponse, [port, ...others]: readonly number[]): void {
    const { method, url, headers } = req
    const asking = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
      answer.on('error', () => res.destroy())
    })
    asking.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && others.length > 0) pass(req, res, others)
      else if (res.headersSent) res.destroy()
      else res.writeHead(502).end(error.message)
    })
    // Nothing that is asked here has a body.
    asking.end()
  }

  const server = createServer((req, res) => {
    turn += 1
    const at = turn % ports.length
    pass(req, res, [...ports.slice(at), ...ports.slice(0, at)])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the proxy has no port')
  return {
    port: address.port,
    /** From now on it asks these. */
    use(next: readonly number[]): void {
      ports = next
    },
    close(): void {
      server.close()
      server.closeAllConnections()
    },
  }
}
