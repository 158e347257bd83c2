import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'

const Call = z.object({ method: z.string(), id: z.unknown(), params: z.array(z.unknown()).default([]) })
const Calls = z.union([Call, z.array(Call)])

export interface FaultyRpc {
  url: string
  /** Whether a call ends without a response; all others reach the real node. */
  drops: (method: string) => boolean
  /** Whether a call never gets a response, on a connection that stays open. */
  holds: (method: string, params: readonly unknown[]) => boolean
  /** The HTTP status that a call is refused with, with a body that no node sends; undefined for a real response. */
  refuses: (method: string) => number | undefined
  /** The clock of its server, in milliseconds. */
  clockMs: () => number
  /** A false result of a call; undefined for the real one. */
  lies: (method: string, params: readonly unknown[]) => unknown
  /** Calls dropped so far. */
  dropped: number
  close: () => Promise<void>
}

/** An RPC address of a chain that can be told to fail, for a shop whose view of the chain is disturbed. */
export async function startFaultyRpc(upstreamUrl: string): Promise<FaultyRpc> {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await request.toArray()).toString('utf8')
    const calls = Calls.parse(JSON.parse(body))
    if ([calls].flat().some(({ method }) => rpc.drops(method))) {
      rpc.dropped += 1
      response.destroy()
      return
    }
    if ([calls].flat().some(({ method, params }) => rpc.holds(method, params))) return
    const headers = { 'content-type': 'application/json', date: new Date(rpc.clockMs()).toUTCString() }
    const status = [calls].flat().flatMap(({ method }) => rpc.refuses(method) ?? [])[0]
    if (status !== undefined) {
      response.writeHead(status, { 'content-type': 'text/html' }).end('<html><body>Nothing here')
      return
    }
    if (!Array.isArray(calls)) {
      const result = rpc.lies(calls.method, calls.params)
      if (result !== undefined) {
        response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id: calls.id, result }))
        return
      }
    }
    const answer = await fetch(upstreamUrl, { method: 'POST', headers, body })
    response.writeHead(answer.status, headers).end(await answer.text())
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the RPC proxy has no port')

  const rpc: FaultyRpc = {
    url: `http://127.0.0.1:${address.port}`,
    drops: () => false,
    holds: () => false,
    refuses: () => undefined,
    clockMs: Date.now,
    lies: () => undefined,
    dropped: 0,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return rpc
}
