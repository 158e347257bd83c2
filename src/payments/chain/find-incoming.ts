import { createPublicClient, getAddress, isHex, parseAbi, type Transport, toEventSelector } from 'viem'
import { rpcTransport } from '../../http/rpc-transport.ts'
import { makeChainOracle } from './chain-oracle.ts'
import type { Paid } from './witness.ts'

const token = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
const authorizationUsed = toEventSelector('AuthorizationUsed(address,bytes32)')
/** How many blocks one search covers: many RPC services allow no more. */
const blocksAtOnce = 9_000n
const timeoutMs = 10_000

/** A payment by a signed authorization, as far as the chain shows it. */
export interface IncomingPayment extends Paid {
  /** Lower case. */
  readonly payer: string
  readonly nonce: string
  /** Atomic units of the token. */
  readonly amount: bigint
  /** The timestamp of its block, in milliseconds. */
  readonly at: number
}

interface Wanted {
  readonly asset: string
  readonly payTo: string
  /** Start of the search, in milliseconds since the epoch. */
  readonly since: number
  /** Replaces HTTP in tests. */
  readonly transport?: Transport
}

/**
 * Finds all transfers of a token to us that were made by an authorization, up to the newest `safe` block, the oldest
 * first. Plain transfers are left out, because they pay for no purchase.
 *
 * @throws when the RPC does not answer
 */
export async function* findIncoming(
  rpcUrl: string,
  { asset, payTo, since, transport = rpcTransport(rpcUrl, { timeoutMs, retryCount: 3 }) }: Wanted,
): AsyncGenerator<IncomingPayment> {
  const client = createPublicClient({ transport })
  const last = BigInt((await makeChainOracle(rpcUrl, { transport }).finality()).safe)
  const timeOf = async (blockNumber: bigint) => Number((await client.getBlock({ blockNumber })).timestamp) * 1000
  const wanted = {
    address: getAddress(asset),
    abi: token,
    eventName: 'Transfer',
    args: { to: getAddress(payTo) },
  } as const
  for (let fromBlock = await firstSince(since, last, timeOf); fromBlock <= last; fromBlock += blocksAtOnce) {
    const end = fromBlock + blocksAtOnce - 1n
    const transfers = await client.getContractEvents({ ...wanted, fromBlock, toBlock: end < last ? end : last })
    for (const hash of new Set(transfers.map(({ transactionHash }) => transactionHash))) {
      const { logs, blockNumber } = await client.getTransactionReceipt({ hash })
      const at = await timeOf(blockNumber)
      // USDC emits the two logs one right after the other (see findTransfer).
      for (const use of logs) {
        const [selector, , nonce] = use.topics
        const transfer = transfers.find(
          (one) => one.transactionHash === hash && one.logIndex === use.logIndex + 1 && use.address === one.address,
        )
        const { from, value } = transfer?.args ?? {}
        if (selector !== authorizationUsed || !transfer || !isHex(nonce) || !from || value === undefined) continue
        const { logIndex } = transfer
        const place = { transaction: hash, logIndex, block: Number(blockNumber) }
        yield { ...place, payer: from.toLowerCase(), nonce, amount: value, at }
      }
    }
  }
}

/** The number of the oldest block that is not older than a time, by binary search; `last + 1n` when all are older. */
async function firstSince(since: number, last: bigint, timeOf: (block: bigint) => Promise<number>): Promise<bigint> {
  let [low, high] = [0n, last + 1n]
  while (low < high) {
    const middle = (low + high) / 2n
    if ((await timeOf(middle)) < since) low = middle + 1n
    else high = middle
  }
  return low
}
