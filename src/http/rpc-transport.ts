import type { IncomingHttpHeaders } from 'node:http'
import { custom, HttpRequestError, RpcRequestError, TimeoutError, type Transport } from 'viem'
import { z } from 'zod'
import { exchange } from './exchange.ts'
import { parseJson } from './fetch-json.ts'

interface Options {
  /** For one request, in milliseconds. */
  readonly timeoutMs: number
  /** How often a request is sent again that found no answer, or found the node overloaded. */
  readonly retryCount: number
  /** The wait before the first repetition, in milliseconds; it doubles with each. */
  readonly retryDelayMs?: number
  /** Called with the headers of each response. */
  readonly onAnswer?: (headers: IncomingHttpHeaders) => void
}

const maxBytes = 10 * 1024 ** 2

const failureSchema = z.object({
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }),
})
const resultSchema = z.object({ result: z.unknown(), error: z.null().optional() })

/**
 * A transport of viem to an EVM node over HTTP (JSON-RPC 2.0). It fails with the same errors as viem's own, which builds
 * a `Request` and an error for each call before it sends it, and with `fetch` takes a millisecond of processor time.
 */
export function rpcTransport(url: string, { timeoutMs, retryCount, retryDelayMs = 150, onAnswer }: Options): Transport {
  let lastId = 0
  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    const body = { jsonrpc: '2.0', id: ++lastId, method, params }
    const unread = (cause: unknown): HttpRequestError =>
      new HttpRequestError({ body, url, ...(cause instanceof Error && { cause, details: cause.message }) })
    const answer = await exchange(url, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      deadlineMs: timeoutMs,
      maxBytes,
    }).catch((cause: unknown) => {
      throw isLate(cause) ? new TimeoutError({ body, url }) : unread(cause)
    })
    const { status, headers } = answer
    onAnswer?.(headers)
    const isGood = status >= 200 && status < 300
    const toStatusError = (): HttpRequestError =>
      new HttpRequestError({ body, url, status, headers: toHeaders(headers) })
    let json: unknown
    try {
      json = parseJson(answer.body)
    } catch (cause) {
      throw isGood ? unread(cause) : toStatusError()
    }
    const failure = failureSchema.safeParse(json)
    if (failure.success) throw new RpcRequestError({ body, error: failure.data.error, url })
    const read = isGood ? resultSchema.safeParse(json) : undefined
    if (!read) throw toStatusError()
    if (!read.success) throw unread(new Error('the answer is not one of JSON-RPC'))
    return read.data.result
  }
  return custom({ request }, { key: 'http', name: 'HTTP JSON-RPC', retryCount, retryDelay: retryDelayMs })
}

const isLate = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || (error.name === 'NotConnected' && isLate(error.cause)))

/** Viem reads `Retry-After` of them. */
const toHeaders = (headers: IncomingHttpHeaders): Headers =>
  new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]))
