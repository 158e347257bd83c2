import { z } from 'zod'

const Reply = z.union([z.object({ error: z.object({ message: z.string() }) }), z.object({ result: z.unknown() })])

/** Calls one JSON-RPC method and returns its raw result; an error response throws with the name of the method. */
export type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>

interface RpcOptions {
  url: string
  /** The CORS origin that the node was started with. */
  origin: string
  timeoutMs?: number
}

/**
 * A small client for the node that we started ourselves. Each response has to carry the random CORS origin that only
 * our node knows, so another program on the same port, such as another sandbox, is not mistaken for it.
 */
export function makeRpc({ url, origin, timeoutMs = 10_000 }: RpcOptions): Rpc {
  return async (method, params) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const isOurs = response.headers.get('access-control-allow-origin') === origin
    if (!isOurs) throw new Error(`Another program answers on ${url}`)
    const reply = Reply.parse(await response.json())
    if ('error' in reply) throw new Error(`${method}: ${reply.error.message}`)
    return reply.result
  }
}
