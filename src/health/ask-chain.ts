import type { IncomingHttpHeaders } from 'node:http'
import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import { readHttpDate } from '../core/http-date.ts'
import { rpcTransport } from '../http/rpc-transport.ts'
import { type ChainClient, openChainClient } from '../payments/chain/chain-client.ts'

/** Timeout of one request to the RPC. */
const timeoutMs = 4_000

/** The outcome of a request to the chain. */
export type Asked<Value> =
  | { readonly is: 'answered'; readonly value: Value }
  /** The response cannot be used: the contract does not exist or reverted, or what responds is no node. */
  | { readonly is: 'failed' }
  /** The RPC did not respond; `why` completes "It …". */
  | { readonly is: 'silent'; readonly why: string }

/**
 * A client for health checks, without retries, because a failed request is a finding.
 *
 * @param onAnswer called for each response with the RPC server's time from its `Date` header, in ms since 1970
 */
export function openLookingClient(
  rpcUrl: string,
  onAnswer: (serverMs: number | undefined) => void = () => {},
): ChainClient {
  const note = ({ date }: IncomingHttpHeaders) => onAnswer(readHttpDate(date ?? ''))
  return openChainClient(rpcTransport(rpcUrl, { timeoutMs, retryCount: 0, onAnswer: note }))
}

/** Sends a request and sorts its outcome. Never rejects. */
export async function ask<Value>(question: () => Promise<Value>): Promise<Asked<Value>> {
  try {
    return { is: 'answered', value: await question() }
  } catch (error) {
    const why = whySilent(error)
    return why === undefined ? { is: 'failed' } : { is: 'silent', why }
  }
}

/** Why there is no response. Holds neither text of the RPC nor its address: both may contain the operator's key. */
function whySilent(error: unknown): string | undefined {
  // The response has a form that no node sends.
  if (!(error instanceof BaseError)) return undefined
  const find = (is: (cause: unknown) => boolean) => error.walk(is)
  if (find((cause) => cause instanceof TimeoutError)) return `gives no answer within ${timeoutMs / 1000} seconds`
  const failed = find((cause) => cause instanceof HttpRequestError)
  if (failed instanceof HttpRequestError)
    return failed.status === undefined ? 'cannot be reached, or answers no JSON' : `answers HTTP ${failed.status}`
  const refused = find((cause) => cause instanceof RpcRequestError)
  // Nodes respond with 3 or -32000 when the code of a contract fails.
  if (refused instanceof RpcRequestError && refused.code !== 3 && refused.code !== -32_000)
    return `answers with error ${refused.code}`
  return undefined
}
