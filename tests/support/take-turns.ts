import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

const tryEveryMs = 250

/** A pending request. Bodies are small here, and buffered so that they can be sent to another program. */
interface Passing {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly body: Buffer
  /** When waiting ends, in terms of `performance.now()`. */
  readonly until: number
}

/**
 * A proxy for programs that serve the same site: it uses them in turn, and the next one if a connection cannot be made,
 * as nginx does with `proxy_next_upstream error`. A request that was sent is never sent again.
 *
 * @param waitMs how long a request waits while all refuse, as in Caddy with `lb_try_duration`
 */
export async function startTurns(first: readonly number[], waitMs = 0) {
  let ports = first
  let turn = 0

  function turnTo(next: Passing): void {
    turn += 1
    const at = turn % ports.length
    pass(next, [...ports.slice(at), ...ports.slice(0, at)])
  }

  function pass(passing: Passing, [port, ...others]: readonly number[]): void {
    const { req, res, body, until } = passing
    const { method, url, headers } = req
    const asking = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
      answer.on('error', () => res.destroy())
    })
    asking.on('error', (error: NodeJS.ErrnoException) => {
      const isRefused = error.syscall === 'connect'
      if (isRefused && others.length > 0) pass(passing, others)
      else if (isRefused && performance.now() < until) setTimeout(() => turnTo(passing), tryEveryMs)
      else if (res.headersSent) res.destroy()
      else res.writeHead(502).end(error.message)
    })
    asking.end(body)
  }

  const server = createServer((req, res) => {
    req.toArray().then(
      (chunks) => turnTo({ req, res, body: Buffer.concat(chunks), until: performance.now() + waitMs }),
      () => res.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the proxy has no port')
  return {
    port: address.port,
    /** Uses these ports from now on. */
    use(next: readonly number[]): void {
      ports = next
    },
    close(): void {
      server.close()
      server.closeAllConnections()
    },
  }
}
