import { z } from 'zod'

const Reply = z.union([z.object({ error: z.object({ message: z.string() }) }), z.object({ result: z.unknown() })])

/** Calls one JSON-RPC method and returns its raw result; a refusal throws with the method's name. */
export type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>

interface RpcOptions {
  url: string
  /** What the node was told to allow as the CORS origin when it was started. */
  origin: string
  timeoutMs?: number
}

/**
 * A client for the node we started ourselves, small on purpose: the chain is up before anything else is.
 * Every answer proves its sender, because only our node knows `origin`: a stranger that took the same port,
 * another sandbox say, is never mistaken for it.
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
