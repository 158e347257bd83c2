import { BaseError, type Hex, RpcRequestError } from 'viem'
import type { GasClient } from './gas-wallet.ts'

/**
 * What a node did with a signed transaction. `known`: it has it, now or from before. `spent`: another one with this
 * nonce is mined. `occupied`: another one with this nonce is pending, and this one does not pay enough more to replace
 * it. `unsure`: there was no response, so it may have arrived. `rejected`: it cannot be mined as it is.
 */
export type Delivery = { is: 'known' | 'spent' | 'occupied' | 'unsure' } | { is: 'rejected'; cause: unknown }

/**
 * Sends a signed transaction to the node. The patterns match the error messages of geth, reth, erigon, nethermind and
 * anvil.
 */
export async function deliverTransaction(client: GasClient, serializedTransaction: Hex): Promise<Delivery> {
  try {
    await client.sendRawTransaction({ serializedTransaction })
    return { is: 'known' }
  } catch (cause) {
    const answer = cause instanceof BaseError ? cause.walk((inner) => inner instanceof RpcRequestError) : null
    if (!(answer instanceof RpcRequestError)) return { is: 'unsure' }
    const text = answer.details
    if (/already (known|imported|exists)|alreadyknown|known transaction/i.test(text)) return { is: 'known' }
    if (/nonce (is )?too low|old ?nonce|nonce has already been used/i.test(text)) return { is: 'spent' }
    if (/replacement|replace existing|could not replace/i.test(text)) return { is: 'occupied' }
    return { is: 'rejected', cause }
  }
}
