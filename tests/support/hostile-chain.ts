import { createHash } from 'node:crypto'
import {
  custom,
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  numberToHex,
  parseAbi,
  RpcRequestError,
  type Transport,
} from 'viem'
import { z } from 'zod'
import { usdcAddress } from '../../src/core/chain-constants.ts'
import type { Facilitator } from '../../src/payments/facilitator/facilitator-client.ts'

/** A use of an EIP-3009 authorization. */
export interface Use {
  payer: string
  nonce: string
  to: string
  value: bigint
  /** Unix seconds. */
  validBefore: number
}

/** One step of a transaction; a `fake` emits the token's events from another contract. */
export type Step = { is: 'use'; use: Use } | { is: 'fake'; use: Use }

interface Transaction {
  hash: Hex
  steps: readonly Step[]
}

interface Block {
  number: number
  /** Unix seconds. */
  time: number
  transactions: { transaction: Transaction; firstLog: number; succeeded: boolean }[]
}

interface LogEntry {
  address: string
  topics: string[]
  data: Hex
  blockNumber: Hex
  transactionHash: Hex
  logIndex: Hex
}

/** How the RPC answers: correctly, some blocks behind, as before the last reorganization, or not at all. */
export type View = 'true' | 'late' | 'orphaned' | 'away'

/** How a facilitator that knows whether the nonce was used handles a settlement. */
export const handlings = [
  'mines',
  'mines, and the answer is lost',
  'leaves it in the pool',
  'claims it early',
  'refuses',
  'is away',
] as const

/** How the facilitator handles a settlement; the last value is that of a facilitator whose node lags. */
export type Handling = (typeof handlings)[number] | 'believes every signature'

const events = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
const reads = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
])
const fakeToken = '0x9999999999999999999999999999999999999999'
const lateBlocks = 3
/** The depths that the local chain uses. */
const [safeDepth, finalDepth] = [32, 64]
const blockSeconds = 2

const callSchema = z.object({ to: z.string(), data: z.custom<Hex>() })
const filterSchema = z.object({
  address: z.string(),
  topics: z.array(z.string().nullable()),
  fromBlock: z.string(),
  toBlock: z.string(),
})

/**
 * A chain in memory that can turn against a shop: transactions are dropped, decoys are mined, blocks are reorganized,
 * and the RPC lags, shows an orphaned branch or does not respond. Its records of real transfers are correct.
 */
export function makeHostileChain(clock: { ms: number }, payTo: string) {
  let blocks: Block[] = [{ number: 0, time: Math.floor(clock.ms / 1000), transactions: [] }]
  let orphaned: Block[] = blocks
  let pool: Transaction[] = []
  let sent = 0
  const state: { view: View; handling: Handling } = { view: 'true', handling: 'mines' }

  const toTransaction = (steps: readonly Step[]): Transaction => ({
    hash: `0x${createHash('sha256').update(`transaction ${++sent}`).digest('hex')}`,
    steps,
  })
  const isUsedIn = (chain: readonly Block[], { payer, nonce }: Pick<Use, 'payer' | 'nonce'>): boolean =>
    chain.some(({ transactions }) =>
      transactions.some(
        ({ transaction, succeeded }) =>
          succeeded &&
          transaction.steps.some(
            ({ is, use }) => is === 'use' && use.payer === payer && use.nonce.toLowerCase() === nonce.toLowerCase(),
          ),
      ),
    )

  function mine(transactions: readonly Transaction[] = []): void {
    const { number, time } = last(blocks)
    const block: Block = {
      number: number + 1,
      time: Math.max(time + blockSeconds, Math.floor(clock.ms / 1000)),
      transactions: [],
    }
    let firstLog = 0
    for (const transaction of transactions) {
      const uses = transaction.steps.filter(({ is }) => is === 'use').map(({ use }) => use)
      const isTwice = new Set(uses.map(({ nonce }) => nonce)).size < uses.length
      const succeeded =
        !isTwice && uses.every((use) => block.time < use.validBefore && !isUsedIn([...blocks, block], use))
      block.transactions.push({ transaction, firstLog, succeeded })
      if (succeeded) firstLog += 2 * transaction.steps.length
    }
    blocks = [...blocks, block]
  }

  const logsOf = ({ number, transactions }: Block): LogEntry[] =>
    transactions.flatMap(({ transaction, firstLog, succeeded }) =>
      succeeded
        ? transaction.steps.flatMap(({ is, use }, step) => {
            const place = (log: number) => ({
              address: is === 'use' ? usdcAddress : fakeToken,
              blockNumber: numberToHex(number),
              transactionHash: transaction.hash,
              logIndex: numberToHex(firstLog + 2 * step + log),
            })
            const [used, moved] = encodedOf(use)
            return [
              { ...place(0), ...used },
              { ...place(1), ...moved },
            ]
          })
        : [],
    )

  const seen = (): readonly Block[] => {
    if (state.view === 'late') return blocks.slice(0, Math.max(1, blocks.length - lateBlocks))
    return state.view === 'orphaned' ? orphaned : blocks
  }

  const answer = (method: string, params: readonly unknown[]): unknown => {
    const chain = seen()
    const head = last(chain)
    const numberOf = (tag: unknown): number => {
      if (tag === 'safe') return Math.max(0, head.number - safeDepth)
      if (tag === 'finalized') return Math.max(0, head.number - finalDepth)
      return typeof tag === 'string' && tag.startsWith('0x') ? Number(tag) : head.number
    }
    switch (method) {
      case 'eth_blockNumber':
        return numberToHex(head.number)
      case 'eth_getBlockByNumber': {
        const block = chain.find(({ number }) => number === numberOf(params[0])) ?? head
        return { number: numberToHex(block.number), timestamp: numberToHex(block.time), transactions: [] }
      }
      case 'eth_getCode':
        return '0x'
      case 'eth_call': {
        const { functionName, args } = decodeFunctionData({ abi: reads, data: callSchema.parse(params[0]).data })
        if (functionName === 'balanceOf') return encodeAbiParameters([{ type: 'uint256' }], [1_000_000_000n])
        const upTo = chain.filter(({ number }) => number <= numberOf(params[1]))
        const [payer, nonce] = args
        return encodeAbiParameters([{ type: 'bool' }], [isUsedIn(upTo, { payer: payer.toLowerCase(), nonce })])
      }
      case 'eth_getLogs': {
        const { address, topics: wanted, fromBlock, toBlock } = filterSchema.parse(params[0])
        return chain
          .filter(({ number }) => number >= numberOf(fromBlock) && number <= numberOf(toBlock))
          .flatMap(logsOf)
          .filter(
            (log) =>
              log.address.toLowerCase() === address.toLowerCase() &&
              wanted.every((topic, at) => topic === null || topic.toLowerCase() === log.topics[at]?.toLowerCase()),
          )
      }
      case 'eth_getTransactionReceipt': {
        const [hash] = params
        const block = chain.find(({ transactions }) =>
          transactions.some(({ transaction }) => transaction.hash === hash),
        )
        const mined = block?.transactions.find(({ transaction }) => transaction.hash === hash)
        if (!block || !mined) return null
        const logs = logsOf(block).filter(({ transactionHash }) => transactionHash === hash)
        return { status: mined.succeeded ? '0x1' : '0x0', logs, transactionHash: hash }
      }
      default:
        throw new Error(`the hostile chain does not know ${method}`)
    }
  }

  const transport: Transport = custom(
    {
      async request({ method, params }: { method: string; params?: readonly unknown[] }) {
        if (state.view === 'away') {
          const error = { code: -32_000, message: 'away' }
          throw new RpcRequestError({ body: { method }, error, url: 'http://chain.test' })
        }
        return answer(method, params ?? [])
      },
    },
    { retryCount: 0 },
  )

  const refusalOf = (use: Use): string | undefined => {
    if (isUsedIn(blocks, use)) return 'invalid_exact_evm_nonce_already_used'
    return last(blocks).time >= use.validBefore ? 'invalid_exact_evm_payload_authorization_valid_before' : undefined
  }

  const facilitator: Facilitator = {
    async verify({ payer, authorization }) {
      if (state.handling === 'is away') return { is: 'unavailable', cause: 'away' }
      const reason = state.handling === 'believes every signature' ? undefined : refusalOf(toUse(payer, authorization))
      return reason === undefined ? { is: 'valid' } : { is: 'invalid', reason }
    },
    async settle({ payer, authorization }) {
      const use = toUse(payer, authorization)
      if (state.handling === 'is away') return { is: 'unknown', cause: 'away' }
      const reason = refusalOf(use)
      if (reason !== undefined) return { is: 'refused', reason }
      if (state.handling === 'refuses') return { is: 'refused', reason: 'insufficient_funds' }
      const transaction = toTransaction([{ is: 'use', use }])
      if (state.handling === 'mines' || state.handling === 'believes every signature') {
        mine([transaction])
        return { is: 'claimed', transaction: transaction.hash }
      }
      if (state.handling === 'mines, and the answer is lost') mine([transaction])
      else pool.push(transaction)
      return state.handling === 'claims it early'
        ? { is: 'claimed', transaction: transaction.hash }
        : { is: 'unknown', cause: 'the answer was lost' }
    },
    restLeftMs: () => 0,
  }

  return {
    transport,
    facilitator,
    state,
    /** Mines this many empty blocks. */
    pass(count: number): void {
      for (let block = 0; block < count; block++) mine()
    },
    /** Mines the pending transactions. */
    minePool(): void {
      const waiting = pool
      pool = []
      mine(waiting)
    },
    /** Drops the pending transactions. */
    dropPool(): void {
      pool = []
    },
    /** Mines a transaction sent by anybody. */
    send: (steps: readonly Step[]) => mine([toTransaction(steps)]),
    /** Removes the newest blocks; their transactions are pending again, or lost. */
    reorganise(depth: number, isLost: boolean): void {
      orphaned = blocks
      const kept = blocks.slice(0, Math.max(1, blocks.length - depth))
      const takenBack = blocks.slice(kept.length).flatMap(({ transactions }) => transactions)
      blocks = kept
      if (!isLost) pool.push(...takenBack.map(({ transaction }) => transaction))
      for (let block = kept.length; block < orphaned.length + 1; block++) mine()
    },
    /** Every transfer to the shop on the chain, by the nonce that it used. */
    transfers: () =>
      blocks.flatMap((block) => {
        const logs = logsOf(block).filter(({ address }) => address === usdcAddress)
        return logs.flatMap((log, at) => {
          const next = logs[at + 1]
          const isUse = log.data === '0x'
          const paysUs = next?.topics[2]?.toLowerCase().endsWith(payTo.slice(2).toLowerCase()) ?? false
          return isUse && next && paysUs
            ? [
                {
                  nonce: String(log.topics[2]),
                  value: BigInt(next.data),
                  transaction: next.transactionHash,
                  logIndex: Number(next.logIndex),
                },
              ]
            : []
        })
      }),
  }
}

const topics = (event: Parameters<typeof encodeEventTopics>[0]): string[] => encodeEventTopics(event).map(String)

/** A cache, because events are encoded (and hashed) whenever a block is read. */
const encoded = new WeakMap<Use, readonly [used: EncodedEvent, moved: EncodedEvent]>()
interface EncodedEvent {
  readonly topics: string[]
  readonly data: Hex
}

/** The token's events for a use: that the nonce is used, and the transfer. */
function encodedOf(use: Use): readonly [used: EncodedEvent, moved: EncodedEvent] {
  const known = encoded.get(use)
  if (known) return known
  const { payer, nonce, to, value } = use
  const args = { authorizer: payer as Hex, nonce: nonce as Hex }
  const fresh = [
    { topics: topics({ abi: events, eventName: 'AuthorizationUsed', args }), data: '0x' },
    {
      topics: topics({ abi: events, eventName: 'Transfer', args: { from: payer as Hex, to: to as Hex } }),
      data: encodeAbiParameters([{ type: 'uint256' }], [value]),
    },
  ] as const
  encoded.set(use, fresh)
  return fresh
}

export const toUse = (
  payer: string,
  { to, value, nonce, validBefore }: { to: string; value: string; nonce: string; validBefore: string },
): Use => ({
  payer: payer.toLowerCase(),
  nonce: nonce.toLowerCase(),
  to: to.toLowerCase(),
  value: BigInt(value),
  validBefore: Number(validBefore),
})

function last<T>(list: readonly T[]): T {
  const item = list.at(-1)
  if (item === undefined) throw new RangeError('the list is empty')
  return item
}

export type HostileChain = ReturnType<typeof makeHostileChain>
