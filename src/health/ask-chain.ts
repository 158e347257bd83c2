import { BaseError, HttpRequestError, http, RpcRequestError, TimeoutError } from 'viem'
import { readHttpDate } from '../core/http-date.ts'
import { type ChainClient, openChainClient } from '../payments/chain/chain-client.ts'

/** What one question to the RPC may take. */
const timeoutMs = 4_000

/** What became of a question to the chain. */
export type Asked<Value> =
  | { readonly is: 'answered'; readonly value: Value }
  /** The answer makes no sense: a contract that was asked is not there or failed, or it is no node that answers. */
  | { readonly is: 'failed' }
  /** The RPC did not answer; `why` completes "It …". */
  | { readonly is: 'silent'; readonly why: string }

/**
 * A client for looking at the chain once, without trying again: a look that fails is a finding.
 *
 * @param onAnswer gets the time that the RPC's own clock shows, in milliseconds, where it tells
 */
export function openLookingClient(
  rpcUrl: string,
  onAnswer: (serverMs: number | undefined) => void = () => {},
): ChainClient {
  const onFetchResponse = ({ headers }: Response) => onAnswer(readHttpDate(headers.get('date') ?? ''))
  return openChainClient(http(rpcUrl, { timeout: timeoutMs, retryCount: 0, onFetchResponse }))
}

/** Asks, and tells the ways apart in which an answer stays out. */
export async function ask<Value>(question: () => Promise<Value>): Promise<Asked<Value>> {
  try {
    return { is: 'answered', value: await question() }
  } catch (error) {
    const why = whySilent(error)
    return why === undefined ? { is: 'failed' } : { is: 'silent', why }
  }
}

/** No text of the RPC's gets in here, nor its address: both may hold the operator's key. */
function whySilent(error: unknown): string | undefined {
  // An answer of a form that no node gives.
  if (!(error instanceof BaseError)) return undefined
  const find = (is: (cause: unknown) => boolean) => error.walk(is)
  if (find((cause) => cause instanceof TimeoutError)) return `gives no answer within ${timeoutMs / 1000} seconds`
  const failed = find((cause) => cause instanceof HttpRequestError)
  if (failed instanceof HttpRequestError)
    return failed.status === undefined ? 'cannot be reached, or answers no JSON' : `answers HTTP ${failed.status}`
  const refused = find((cause) => cause instanceof RpcRequestError)
  // 3 and -32000 are what nodes answer when the code of a contract fails.
  if (refused instanceof RpcRequestError && refused.code !== 3 && refused.code !== -32_000)
    return `answers with error ${refused.code}`
  return undefined
}
