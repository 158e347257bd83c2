import { concatHex, type Hex, pad, toFunctionSelector } from 'viem'
import type { ChainClient } from './chain-client.ts'

// Computed once: hashing and parsing the signature cost more than the call itself.
const selector = toFunctionSelector('authorizationState(address,bytes32)')
/** The ABI encodings of `false` and `true`. */
const answers: Readonly<Record<string, boolean>> = {
  [`0x${'0'.repeat(64)}`]: false,
  [`0x${'0'.repeat(63)}1`]: true,
}

interface Asked {
  readonly asset: Hex
  readonly authorizer: Hex
  readonly nonce: Hex
  /** The block at which the state is read; the newest when absent. */
  readonly blockNumber?: bigint
}

/**
 * Whether a token counts an authorization as used or cancelled (EIP-3009, `authorizationState`).
 *
 * @throws Error when the RPC does not answer, or answers anything but a `bool`, because the address is no such token
 */
export async function isAuthorizationUsed(
  client: Pick<ChainClient, 'call'>,
  { asset, authorizer, nonce, blockNumber }: Asked,
): Promise<boolean> {
  const { data } = await client.call({
    to: asset,
    data: concatHex([selector, pad(authorizer), pad(nonce)]),
    ...(blockNumber !== undefined && { blockNumber }),
  })
  const isUsed = data === undefined ? undefined : answers[data]
  if (isUsed === undefined) throw new Error(`${asset} does not tell the state of authorizations`)
  return isUsed
}
