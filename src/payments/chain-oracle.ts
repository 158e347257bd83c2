import { type Address, createPublicClient, type Hex, http, isHex, numberToHex, parseAbi, toEventSelector } from 'viem'

const token = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
])

// Computed once: hashing the names of events would cost more than reading the logs.
const authorizationUsed = toEventSelector('AuthorizationUsed(address,bytes32)')
const transfer = toEventSelector('Transfer(address,address,uint256)')

/** An address as it stands in a log. */
const toTopic = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

/** What must have happened on chain for a purchase to be paid. */
export interface Expected {
  asset: string
  payer: string
  payTo: string
  amount: bigint
  nonce: string
  /** Unix seconds. */
  validBefore: bigint
  /** Where the search starts; null when the chain did not answer then. */
  fromBlock: number | null
  /** Unix seconds of the claim: no transaction of ours is older. */
  sinceSeconds: number
  /** The transaction a facilitator named, looked at first. */
  transaction?: string
}

/**
 * What the chain says of one authorization. `void`: the nonce is used but we were not paid (cancelled, or paid to
 * somebody else). `expired`: it can never be mined any more. `unseen`: the RPC does not answer.
 */
export type Witness =
  | { is: 'paid'; transaction: string }
  | { is: 'void' }
  | { is: 'expired' }
  | { is: 'unused' }
  | { is: 'unseen'; cause: unknown }

/** The chain, asked through the operator's own RPC, independent of any facilitator. */
export interface ChainOracle {
  /** Number of the newest block, or of one some seconds older. */
  head(): Promise<number>
  witness(expected: Expected): Promise<Witness>
}

/** Logs are searched a little before the recorded block: RPC replicas may lag behind each other. */
const overlapBlocks = 20
/** A head that is this old only makes a search begin a little earlier. */
const headCacheMs = 4000

const toHex = (text: string): Hex => {
  if (!isHex(text)) throw new TypeError('not hexadecimal')
  return text
}

/**
 * Asks an EVM node. The proof of payment is an `AuthorizationUsed` of this payer and nonce together with a
 * `Transfer` of the exact amount to us in one successful transaction; a used nonce alone proves nothing, because
 * cancelling uses it too (EIP-3009).
 */
export function makeChainOracle(rpcUrl: string, timeoutMs = 5000): ChainOracle {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: timeoutMs, retryCount: 1, retryDelay: 100 }) })

  const pays = async (transaction: Hex, expected: Expected): Promise<boolean> => {
    const { status, logs } = await client.getTransactionReceipt({ hash: transaction })
    const asset = expected.asset.toLowerCase()
    const has = (topics: readonly string[], data: string) =>
      logs.some(
        (log) =>
          log.address.toLowerCase() === asset &&
          log.topics.join().toLowerCase() === topics.join() &&
          log.data.toLowerCase() === data,
      )
    const { payer, nonce, payTo, amount } = expected
    const isUsed = has([authorizationUsed, toTopic(payer), nonce.toLowerCase()], '0x')
    const isPaid = has([transfer, toTopic(payer), toTopic(payTo)], numberToHex(amount, { size: 32 }))
    return status === 'success' && isUsed && isPaid
  }

  const search = async (expected: Expected): Promise<Witness> => {
    const asset: Address = toHex(expected.asset)
    const authorizer: Address = toHex(expected.payer)
    const nonce = toHex(expected.nonce)
    // Time and state are read of one block: a state older than the clock could call a mined payment expired.
    const { number: blockNumber, timestamp } = await client.getBlock()
    const isUsed = await client.readContract({
      address: asset,
      abi: token,
      functionName: 'authorizationState',
      args: [authorizer, nonce],
      blockNumber,
    })
    if (!isUsed) return { is: timestamp >= expected.validBefore ? 'expired' : 'unused' }
    const range = { address: asset, abi: token, args: { authorizer, nonce } } as const
    // Blocks are at least a second apart, so that many blocks back lies before the claim.
    const start = expected.fromBlock ?? Number(blockNumber) - (Number(timestamp) - expected.sinceSeconds)
    const fromBlock = BigInt(Math.max(0, start - overlapBlocks))
    const uses = await client.getContractEvents({ ...range, eventName: 'AuthorizationUsed', fromBlock })
    for (const { transactionHash } of uses)
      if (await pays(transactionHash, expected)) return { is: 'paid', transaction: transactionHash }
    const ends = await client.getContractEvents({ ...range, eventName: 'AuthorizationCanceled', fromBlock })
    if (uses.length + ends.length > 0) return { is: 'void' }
    // The state is ahead of the logs: ask again rather than guess.
    return { is: 'unseen', cause: 'the nonce is used, but its event is not to be found yet' }
  }

  return {
    head: async () => Number(await client.getBlockNumber({ cacheTime: headCacheMs })),
    async witness(expected) {
      if (expected.transaction) {
        // Not found yet, or not ours: the search by nonce below decides.
        const named = await pays(toHex(expected.transaction), expected).catch(() => false)
        if (named) return { is: 'paid', transaction: expected.transaction }
      }
      try {
        return await search(expected)
      } catch (cause) {
        return { is: 'unseen', cause }
      }
    },
  }
}
