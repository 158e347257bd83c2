import {
  type Address,
  BaseError,
  encodeFunctionData,
  type Hex,
  http,
  isHex,
  parseAbi,
  RpcRequestError,
  type Transport,
} from 'viem'
import { isAuthorizationUsed } from './authorization-state.ts'
import { openChainClient } from './chain-client.ts'
import { findTransfer, type Transfer } from './find-transfer.ts'

const token = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'function balanceOf(address owner) view returns (uint256)',
])
const smartWallet = parseAbi(['function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)'])
/** What a contract wallet answers to a signature it accepts (ERC-1271). */
const accepted = '0x1626ba7e'
/** What a contract wallet may burn to look at a signature. */
const maxLookGas = 500_000n

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

/** The transfer that paid for an authorization. */
export interface Paid {
  transaction: string
  /** Of the `Transfer` among the logs of its block: with the transaction it names one transfer and no other. */
  logIndex: number
  block: number
}

/**
 * What the chain says of one authorization. `void`: the nonce is used but we were not paid (cancelled, or used by
 * another transfer). `expired`: it can never be mined any more. `unseen`: the RPC does not answer, or
 * knows that the nonce is used (`isUsed`) and not yet by what. `asOf` is the block of which it was read.
 */
export type Witness =
  | ({ is: 'paid' } & Paid)
  | { is: 'void'; asOf: number }
  | { is: 'expired'; asOf: number }
  | { is: 'unused'; asOf: number }
  | { is: 'unseen'; cause: unknown; isUsed?: true }

/** Numbers of the newest blocks that are unlikely (`safe`) and impossible (`final`) to be reorganised away. */
export interface Finality {
  safe: number
  final: number
}

/** The chain, asked through the operator's own RPC, independent of any facilitator. */
export interface ChainOracle {
  witness(expected: Expected): Promise<Witness>
  /** @throws when the RPC does not answer */
  finality(): Promise<Finality>
  /**
   * When its newest block was made, in milliseconds.
   *
   * @throws when the RPC does not answer
   */
  time(): Promise<number>
  /**
   * What a wallet holds of a token, in atomic units, at most some seconds old.
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
   * Whether a contract wallet accepts a signature (ERC-1271). One that reverts, burns its gas or answers rubbish does not.
   *
   * @throws when the RPC does not answer
   */
  accepts(wallet: string, digest: string, signature: string): Promise<boolean>
}

/** Logs are searched a little before the recorded block: RPC replicas may lag behind each other. */
const overlapBlocks = 20
/** Many RPC services search no more blocks than this at once. */
const blocksAtOnce = 9_000
/** Where an RPC does not know the names of blocks: as long as Base takes to publish a batch, and to finalise it. */
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
 * Asks an EVM node. The proof of payment is an `AuthorizationUsed` of this payer and nonce together with the transfer
 * that it made, of the exact amount to us, in one successful transaction; a used nonce alone proves nothing, because
 * cancelling uses it too (EIP-3009), and another transfer of the same transaction proves nothing either.
 */
export function makeChainOracle(rpcUrl: string, { timeoutMs = 5000, transport }: ChainOracleOptions = {}): ChainOracle {
  const client = openChainClient(transport ?? http(rpcUrl, { timeout: timeoutMs, retryCount: 1, retryDelay: 100 }))

  const transferIn = async (transaction: Hex, expected: Expected): Promise<Transfer | undefined> => {
    const { status, logs } = await client.getTransactionReceipt({ hash: transaction })
    return status === 'success' ? findTransfer(logs, expected) : undefined
  }

  const search = async (expected: Expected): Promise<Witness> => {
    const asset: Address = toHex(expected.asset)
    const authorizer: Address = toHex(expected.payer)
    const nonce = toHex(expected.nonce)
    // Time and state are read of one block: a state older than the clock could call a mined payment expired.
    const { number: blockNumber, timestamp } = await client.getBlock()
    const asOf = Number(blockNumber)
    const isUsed = await isAuthorizationUsed(client, { asset, authorizer, nonce, blockNumber })
    if (!isUsed) return { is: timestamp >= expected.validBefore ? 'expired' : 'unused', asOf }
    const range = { address: asset, abi: token, args: { authorizer, nonce } } as const
    // Blocks are at least a second apart, so that many blocks back lies before the claim.
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

  /** Number of a named block; an RPC that does not know the name is asked how high the chain is. */
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
        // Not found yet, or not ours: the search by nonce below decides.
        const named = await transferIn(toHex(transaction), expected).catch(() => undefined)
        if (named) return { is: 'paid', transaction, ...named }
      }
      try {
        return await search(expected)
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
      // Not by a clock that can be set back: an empty wallet that was filled meanwhile would stay empty here.
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

/** How nodes say that a contract broke off: each in words of its own, under codes that mean other things elsewhere. */
const brokeOff =
  /revert|out ?of ?gas|gas required|opcode|stack ?(?:under|over)flow|(?:invalid|bad) ?(?:jump|instruction)|(?:evm|vm execution) error/i
/** Under this code nodes tell of nothing but a contract that reverted. */
const revertedCode = 3

/**
 * Whether a call failed inside the contract that was called. A node that had too much to do, or has no such block, says
 * so in an error of the same kind, and nothing about the contract.
 */
function isOfWallet(error: unknown): boolean {
  const told = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null
  return told instanceof RpcRequestError && (told.code === revertedCode || brokeOff.test(told.details))
}

/** Searches the newest blocks first, in parts that every RPC service allows, and ends where something is found. */
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
