import { type Log, numberToHex, toEventSelector } from 'viem'

// Computed once: hashing the names of events would cost more than reading the logs.
const authorizationUsed = toEventSelector('AuthorizationUsed(address,bytes32)')
const transfer = toEventSelector('Transfer(address,address,uint256)')

/** An address as it stands in a log. */
const toTopic = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

/** Which transfer is looked for. */
export interface Wanted {
  asset: string
  payer: string
  payTo: string
  amount: bigint
  nonce: string
}

/** Where the transfer stands on the chain. */
export interface Transfer {
  /** Of the `Transfer` among the logs of its block. */
  logIndex: number
  block: number
}

/**
 * The transfer that the use of one authorization made, if it paid us. USDC emits the two in a row and nothing between
 * them: `_transferWithAuthorization` marks the nonce as used (`AuthorizationUsed`) and then transfers (`Transfer`);
 * the wallet's signature is asked for before both (Circle, stablecoin-evm, contracts/v2/EIP3009.sol). So the log that
 * follows the use of a nonce is its own transfer, and every other transfer of the transaction paid for something else.
 *
 * @param logs of one successful transaction
 */
export function findTransfer(
  logs: readonly Pick<Log<bigint, number, false>, 'address' | 'topics' | 'data' | 'logIndex' | 'blockNumber'>[],
  { asset, payer, payTo, amount, nonce }: Wanted,
): Transfer | undefined {
  const is = (log: (typeof logs)[number], topics: readonly string[], data: string): boolean =>
    log.address.toLowerCase() === asset.toLowerCase() &&
    log.topics.join().toLowerCase() === topics.join().toLowerCase() &&
    log.data.toLowerCase() === data
  const use = logs.find((log) => is(log, [authorizationUsed, toTopic(payer), nonce], '0x'))
  const next = use && logs.find(({ logIndex }) => logIndex === use.logIndex + 1)
  if (!next || !is(next, [transfer, toTopic(payer), toTopic(payTo)], numberToHex(amount, { size: 32 })))
    return undefined
  return { logIndex: next.logIndex, block: Number(next.blockNumber) }
}
