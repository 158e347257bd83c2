import {
  createPublicClient,
  type Hex,
  isHex,
  type Log,
  parseAbi,
  parseEventLogs,
  TransactionReceiptNotFoundError,
} from 'viem'
import { rpcTransport } from '../../http/rpc-transport.ts'

const token = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
const timeoutMs = 5000

/** What a transfer must be to count as the refund of a sale. */
export interface WantedRefund {
  /** CAIP-2 id. */
  readonly network: string
  readonly asset: string
  /** The wallet that paid and gets the money back. */
  readonly payer: string
  /** What was paid, in atomic units of the asset. */
  readonly atLeast: bigint
  /** The refund cannot be in a block before this number; null when that is not known. */
  readonly notBefore: number | null
}

export interface SeenRefund {
  readonly logIndex: number
  readonly amount: bigint
}

/**
 * `none`: there is no such transaction, or it failed, or it makes no such transfer. `unseen`: the RPC does not answer.
 */
export type RefundWitness =
  | { readonly is: 'seen'; readonly transfers: readonly SeenRefund[] }
  | { readonly is: 'none'; readonly reason: string }
  | { readonly is: 'unseen' }

export type FindRefund = (transaction: string, wanted: WantedRefund) => Promise<RefundWitness>

/** Transfers of the asset to the payer, from any wallet but its own, of at least what was paid. */
function findTransfers(logs: readonly Log[], { asset, payer, atLeast }: WantedRefund): SeenRefund[] {
  const ofToken = logs.filter(({ address }) => address.toLowerCase() === asset.toLowerCase())
  return parseEventLogs({ abi: token, eventName: 'Transfer', logs: ofToken }).flatMap(({ args, logIndex }) =>
    args.to.toLowerCase() === payer.toLowerCase() &&
    args.from.toLowerCase() !== payer.toLowerCase() &&
    args.value >= atLeast &&
    logIndex !== null
      ? [{ logIndex, amount: args.value }]
      : [],
  )
}

/**
 * Looks up a transaction that the operator names as a refund, on the chain of the sale.
 *
 * @param findRpcUrl the RPC of a network; undefined where none is known
 */
export function makeFindRefund(findRpcUrl: (network: string) => string | undefined): FindRefund {
  return async (transaction, wanted) => {
    if (!isHash(transaction)) return { is: 'none', reason: 'a transaction is 0x and 64 hexadecimal digits' }
    const rpcUrl = findRpcUrl(wanted.network)
    if (rpcUrl === undefined)
      return { is: 'none', reason: `this shop asks no node of ${wanted.network}, where the sale was paid` }
    const transport = rpcTransport(rpcUrl, { timeoutMs, retryCount: 1, retryDelayMs: 100 })
    const client = createPublicClient({ transport })
    try {
      const { status, logs, blockNumber } = await client.getTransactionReceipt({ hash: transaction })
      if (status !== 'success') return { is: 'none', reason: 'this transaction failed' }
      if (wanted.notBefore !== null && Number(blockNumber) < wanted.notBefore)
        return { is: 'none', reason: 'this transaction is older than the sale' }
      const transfers = findTransfers(logs, wanted)
      if (transfers.length > 0) return { is: 'seen', transfers }
      return {
        is: 'none',
        reason: 'this transaction does not send the payer what was paid, or more, in the same asset',
      }
    } catch (error) {
      if (error instanceof TransactionReceiptNotFoundError)
        return { is: 'none', reason: 'the chain does not know this transaction yet' }
      return { is: 'unseen' }
    }
  }
}

const isHash = (text: string): text is Hex => isHex(text) && text.length === 66
