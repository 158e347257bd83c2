import { createClient, type PublicActions, type PublicClient, type Transport } from 'viem'
import {
  call,
  getBlock,
  getBlockNumber,
  getChainId,
  getCode,
  getContractEvents,
  getTransactionReceipt,
  readContract,
} from 'viem/actions'

/** What we ask an EVM node. */
export type ChainClient = Pick<
  PublicClient,
  | 'call'
  | 'getBlock'
  | 'getBlockNumber'
  | 'getChainId'
  | 'getCode'
  | 'getContractEvents'
  | 'getTransactionReceipt'
  | 'readContract'
>

/**
 * A client of an EVM node with the questions that we ask, and no others: viem's own `createPublicClient` brings every
 * question there is, and the game host would read a seventh more code at its start, and make what nobody uses.
 *
 * A contract that is asked may name an address to fetch the answer from (ERC-3668). It is a stranger's, and never fetched.
 */
export function openChainClient(transport: Transport): ChainClient {
  return createClient({ transport, ccipRead: false }).extend(
    (client): Pick<PublicActions, keyof ChainClient> => ({
      call: (asked) => call(client, asked),
      getBlock: (asked) => getBlock(client, asked),
      getBlockNumber: (asked) => getBlockNumber(client, asked),
      getChainId: () => getChainId(client),
      getCode: (asked) => getCode(client, asked),
      getContractEvents: (asked) => getContractEvents(client, asked),
      getTransactionReceipt: (asked) => getTransactionReceipt(client, asked),
      readContract: (asked) => readContract(client, asked),
    }),
  )
}
