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

/** The calls to an EVM node that we use. */
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
 * A client of an EVM node with only the calls that we use. viem's `createPublicClient` brings all of them, which would
 * make the game host load a seventh more code at its start.
 *
 * ERC-3668 lets a contract name a URL to fetch its answer from. That is off, because it is an address that strangers
 * chose.
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
