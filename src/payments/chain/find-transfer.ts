import { type Log, numberToHex, toEventSelector } from 'viem'

// Computed once: hashing the event signatures would cost more than reading the logs.
const authorizationUsed = toEventSelector('AuthorizationUsed(address,bytes32)')
const transfer = toEventSelector('Transfer(address,address,uint256)')

/** An address as a topic of a log: padded to 32 bytes, lower case. */
const toTopic = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

/** The transfer to look for. */
export interface Wanted {
  asset: string
  payer: string
  payTo: string
  amount: bigint
  nonce: string
}

/** The place of a transfer on the chain. */
export interface Transfer {
  /** Index of the `Transfer` log in its block. */
  logIndex: number
  block: number
}

/**
 * Finds the transfer that the use of one authorization made; undefined if it did not pay us exactly. USDC emits two
 * logs with nothing between them: `_transferWithAuthorization` marks the nonce as used (`AuthorizationUsed`) and then
 * transfers (`Transfer`); it checks the wallet's signature before both (Circle, stablecoin-evm,
 * contracts/v2/EIP3009.sol). So the log right after the use of a nonce is its own transfer, and any other transfer of
 * the transaction paid for something else.
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
