import { readCapped } from '../http/read-capped.ts'
import type { Method } from './read-arguments.ts'

/** The request that buys: everything that identifies a purchase. */
export interface Order {
  method: Method
  url: URL
  /** The JSON body as it is sent. */
  body: Uint8Array<ArrayBuffer> | undefined
}

/** A complete response, or none: an interrupted response counts as none. */
export type Answer =
  | { is: 'answer'; status: number; headers: Headers; body: Uint8Array<ArrayBuffer> }
  | { is: 'lost'; reason: string }

/** Longer than shops work before they ask to retry. */
const deadlineMs = 120_000
/** The size of a product is limited to protect memory; responses other than products are short. */
const maxBytes = 256 * 1024 * 1024
const maxProblemBytes = 1024 * 1024

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'the name does not resolve',
  EAI_AGAIN: 'the name does not resolve now',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'the connection was closed',
}

/**
 * Sends the request once. Redirects are never followed, because a payment must not go to another address.
 *
 * @param signature value of `PAYMENT-SIGNATURE`
 */
export async function sendRequest(fetcher: typeof fetch, order: Order, signature?: string): Promise<Answer> {
  try {
    const response = await fetcher(order.url, {
      method: order.method,
      headers: {
        accept: '*/*',
        ...(order.body && { 'content-type': 'application/json' }),
        ...(signature !== undefined && { 'payment-signature': signature }),
      },
      ...(order.body && { body: order.body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(deadlineMs),
    })
    const limit = response.ok ? maxBytes : maxProblemBytes
    const body = await readCapped(response.body, limit)
    if (!body) return { is: 'lost', reason: `the answer is larger than ${limit} bytes` }
    return { is: 'answer', status: response.status, headers: response.headers, body }
  } catch (error) {
    return { is: 'lost', reason: reasonOf(error) }
  }
}

/** A message of our own: that of the error could quote the request, which contains the signature. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer in ${deadlineMs / 1000} seconds`
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return (
    reasons[code] ?? (/^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? `the connection failed (${code})` : 'the connection broke')
  )
}
