import {
  type Address,
  BaseError,
  encodeFunctionData,
  type Hex,
  isHex,
  parseAbi,
  RpcRequestError,
  type Transport,
} from 'viem'
import { rpcTransport } from '../../http/rpc-transport.ts'
import { isAuthorizationUsed } from './authorization-state.ts'
import { openChainClient } from './chain-client.ts'
import { findTransfer, type Transfer } from './find-transfer.ts'
import { makeKnownHead } from './known-head.ts'
import type { Expected, Witness } from './witness.ts'

const token = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'function balanceOf(address owner) view returns (uint256)',
])
const smartWallet = parseAbi(['function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)'])
/** What a contract wallet returns for a signature that it accepts (ERC-1271). */
const accepted = '0x1626ba7e'
/** The most gas that a contract wallet may use to check a signature. */
const maxLookGas = 500_000n

/** Numbers of the newest blocks that are unlikely (`safe`) and impossible (`final`) to be reorganised away. */
export interface Finality {
  safe: number
  final: number
}

/** Reads the chain through the operator's own RPC, independently of any facilitator. */
export interface ChainOracle {
  /** What the chain shows of an authorization. Failures of the RPC are not thrown; they are `unseen`. */
  witness(expected: Expected): Promise<Witness>
  /** @throws when the RPC does not answer */
  finality(): Promise<Finality>
  /**
   * The timestamp of the newest block, in milliseconds.
   *
   * @throws when the RPC does not answer
   */
  time(): Promise<number>
  /**
   * The balance of a wallet in a token, in atomic units; cached for two seconds.
   *
   * @throws when the RPC does not answer
   */
  balance(asset: string, owner: string): Promise<bigint>
  /**
   * Whether a contract is deployed at an address.
   *
   * @throws when the RPC does not answer
   */
  hasCode(address: string): Promise<boolean>
  /**
   * Whether a contract wallet accepts a signature (ERC-1271). Reverting, running out of gas and any other return value
   * count as no.
   *
   * @throws when the RPC does not answer
   */
  accepts(wallet: string, digest: string, signature: string): Promise<boolean>
}

/** Logs are searched a little before the recorded block: RPC replicas may lag behind each other. */
const overlapBlocks = 20
/** How many blocks one search covers: many RPC services allow no more. */
const blocksAtOnce = 9_000
/**
 * Depths in blocks that stand for `safe` and `final` where an RPC does not know these block tags: about as long as Base
 * takes to publish a batch, and to finalise it.
 */
const usualDepth = { safe: 600, final: 1800 }

const toHex = (text: string): Hex => {
  if (!isHex(text)) throw new TypeError('not hexadecimal')
  return text
}

export interface ChainOracleOptions {
  timeoutMs?: number
  /** Replaces HTTP, for tests that hold a whole chain in memory. */
  transport?: Transport
}

/**
 * Makes an oracle that asks an EVM node. The proof of payment is an `AuthorizationUsed` of this payer and nonce
 * together with the transfer that it made, of the exact amount to us, in one successful transaction. A used nonce alone
 * proves nothing, because cancelling uses it too (EIP-3009), and neither does another transfer of the same transaction.
 */
export function makeChainOracle(rpcUrl: string, { timeoutMs = 5000, transport }: ChainOracleOptions = {}): ChainOracle {
  const client = openChainClient(transport ?? rpcTransport(rpcUrl, { timeoutMs, retryCount: 1, retryDelayMs: 100 }))

  const heads = makeKnownHead()

  /** Looks at the state alone, where the newest block is known; undefined where that does not decide. */
  const glance = async ({ asset, payer, nonce, validBefore, maxAgeMs = 0 }: Expected): Promise<Witness | undefined> => {
    const head = heads.find(maxAgeMs)
    if (!head || head.timestamp >= validBefore) return undefined
    const asked = { asset: toHex(asset), authorizer: toHex(payer), nonce: toHex(nonce) }
    return (await isAuthorizationUsed(client, asked)) ? undefined : { is: 'unused', asOf: head.number }
  }

  const transferIn = async (transaction: Hex, expected: Expected): Promise<Transfer | undefined> => {
    const { status, logs } = await client.getTransactionReceipt({ hash: transaction })
    return status === 'success' ? findTransfer(logs, expected) : undefined
  }

  const search = async (expected: Expected): Promise<Witness> => {
    const asset: Address = toHex(expected.asset)
    const authorizer: Address = toHex(expected.payer)
    const nonce = toHex(expected.nonce)
    // Time and state are read at one block: with a state older than the time, a mined payment could look expired.
    const { number: blockNumber, timestamp } = await client.getBlock()
    const asOf = Number(blockNumber)
    heads.note({ number: asOf, timestamp: Number(timestamp) })
    const isUsed = await isAuthorizationUsed(client, { asset, authorizer, nonce, blockNumber })
    if (!isUsed) return { is: timestamp >= expected.validBefore ? 'expired' : 'unused', asOf }
    const range = { address: asset, abi: token, args: { authorizer, nonce } } as const
    // Blocks are at least a second apart, so this many blocks back is before the claim.
    const start = expected.fromBlock ?? asOf - (Number(timestamp) - expected.sinceSeconds)
    const firstBlock = Math.max(0, start - overlapBlocks)
    const uses = await backwards(firstBlock, asOf, (fromBlock, toBlock) =>
      client.getContractEvents({ ...range, eventName: 'AuthorizationUsed', fromBlock, toBlock }),
    )
    for (const { transactionHash: transaction } of uses) {
      const transfer = await transferIn(transaction, expected)
      if (transfer) return { is: 'paid', transaction, ...transfer }
    }
    if (uses.length > 0) return { is: 'void', asOf }
    const ends = await backwards(firstBlock, asOf, (fromBlock, toBlock) =>
      client.getContractEvents({ ...range, eventName: 'AuthorizationCanceled', fromBlock, toBlock }),
    )
    if (ends.length > 0) return { is: 'void', asOf }
    // The state is ahead of the logs: ask again rather than guess.
    return { is: 'unseen', cause: 'the nonce is used, but its event is not to be found yet', isUsed: true }
  }

  /** The number of the block with a tag. If the RPC cannot tell, it is estimated from the height of the chain. */
  const numberOf = async (blockTag: 'safe' | 'finalized', depth: number): Promise<number> => {
    try {
      const { number } = await client.getBlock({ blockTag })
      return Number(number)
    } catch {
      return Math.max(0, Number(await client.getBlockNumber()) - depth)
    }
  }

  const balances = new Map<string, { at: number; balance: bigint }>()

  return {
    async witness(expected) {
      if (expected.transaction) {
        const transaction = expected.transaction
        // A transaction that is not found yet, or does not pay us, is ignored: the search by nonce below decides.
        const named = await transferIn(toHex(transaction), expected).catch(() => undefined)
        if (named) return { is: 'paid', transaction, ...named }
      }
      try {
        return (await glance(expected)) ?? (await search(expected))
      } catch (cause) {
        return { is: 'unseen', cause }
      }
    },
    async finality() {
      const [safe, final] = await Promise.all([
        numberOf('safe', usualDepth.safe),
        numberOf('finalized', usualDepth.final),
      ])
      return { safe, final }
    },
    time: async () => Number((await client.getBlock()).timestamp) * 1000,
    async balance(asset, owner) {
      // A monotonic clock: if the clock were set back, an old balance would be used for too long.
      const at = performance.now()
      const wallet = `${asset}|${owner}`
      const known = balances.get(wallet)
      if (known && at - known.at < balanceCacheMs) return known.balance
      const args = [toHex(owner)] as const
      const balance = await client.readContract({ address: toHex(asset), abi: token, functionName: 'balanceOf', args })
      for (const [other, { at: since }] of balances) if (at - since >= balanceCacheMs) balances.delete(other)
      balances.set(wallet, { at, balance })
      return balance
    },
    async hasCode(address) {
      const code = await client.getCode({ address: toHex(address) })
      return code !== undefined && code !== '0x'
    },
    async accepts(wallet, digest, signature) {
      const data = encodeFunctionData({
        abi: smartWallet,
        functionName: 'isValidSignature',
        args: [toHex(digest), toHex(signature)],
      })
      try {
        const { data: answer } = await client.call({ to: toHex(wallet), data, gas: maxLookGas })
        return answer?.slice(0, 10) === accepted
      } catch (error) {
        if (isOfWallet(error)) return false
        throw error
      }
    },
  }
}

const balanceCacheMs = 2000

/** Messages by which nodes report that a contract failed. Their error codes differ and mean other things elsewhere. */
const brokeOff =
  /revert|out ?of ?gas|gas required|opcode|stack ?(?:under|over)flow|(?:invalid|bad) ?(?:jump|instruction)|(?:evm|vm execution) error/i
/** Nodes use this error code only for a contract that reverted. */
const revertedCode = 3

/**
 * Whether a call failed inside the called contract. A node that is overloaded, or lacks the block, answers with the
 * same kind of error, which says nothing about the contract.
 */
function isOfWallet(error: unknown): boolean {
  const told = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null
  return told instanceof RpcRequestError && (told.code === revertedCode || brokeOff.test(told.details))
}

/** Searches backwards from the newest block, in ranges that RPC services allow, until something is found. */
async function backwards<Found>(
  first: number,
  last: number,
  find: (fromBlock: bigint, toBlock: bigint | 'latest') => Promise<Found[]>,
): Promise<Found[]> {
  for (let to = last; to >= first; to -= blocksAtOnce) {
    // A replica that lags behind refuses a range that ends above its head, but always knows the latest block.
    const found = await find(BigInt(Math.max(first, to - blocksAtOnce + 1)), to === last ? 'latest' : BigInt(to))
    if (found.length > 0) return found
  }
  return []
}
