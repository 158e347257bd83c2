import { type Hex, keccak256, type TransactionReceipt } from 'viem'
import { deliverTransaction } from './deliver-transaction.ts'
import type { Fees, GasWallet } from './gas-wallet.ts'
import { isExecutionFailure } from './watch-chain.ts'

/** What already offers that many times what the network asks for is not helped by more. */
const ceilingFactor = 4n
const fillerGas = 21_000n

export interface Call {
  readonly to: Hex
  readonly data: Hex
  /** The limit; what is not used is not paid. */
  readonly gas: bigint
}

/** How a transaction ended. `lost`: its nonce went to another one. */
export type Ending = { is: 'mined'; receipt: TransactionReceipt } | { is: 'lost' }

/** One nonce and everything that was sent with it; at most one of the versions is ever mined. */
export interface Sent {
  readonly nonce: number
  readonly versions: { readonly hash: Hex; readonly isFiller: boolean }[]
  readonly onEnd: (ending: Ending) => void
  call: Call
  /** Whether its newest version only uses up the nonce. */
  isFiller: boolean
  fees: Fees
  /** Milliseconds. */
  since: number
  touchedAt: number
  endedAt: number
  ending: Ending | undefined
  isReported: boolean
}

/** What was done for a transaction that waited too long. */
export type Revival = 'sent again' | 'paid more' | 'filled'

/** Signs the newest version of a transaction and writes down its hash before anybody can see it. */
export async function signVersion(wallet: GasWallet, sent: Sent): Promise<Hex> {
  const raw = await wallet.sign({ ...sent.call, ...sent.fees, nonce: sent.nonce })
  const hash = keccak256(raw)
  if (!sent.versions.some((version) => version.hash === hash)) sent.versions.push({ hash, isFiller: sent.isFiller })
  return raw
}

/** Nothing, sent to oneself. */
export const toFiller = (wallet: GasWallet): Call => ({ to: wallet.account.address, data: '0x', gas: fillerGas })

/**
 * Does what helps a transaction that waits: sends it again when the network has lost it, offers more when the network
 * has it and passes it over, and sends nothing to oneself with its nonce when the call would fail by now, so that no
 * gas is burnt for it and those behind it move on.
 *
 * `isHead`: all others wait for this one; only then does paying more help.
 */
export async function reviveTransaction(wallet: GasWallet, sent: Sent, isHead: boolean): Promise<Revival | undefined> {
  const { client } = wallet
  const newest = sent.versions.at(-1)
  const isKnown =
    newest !== undefined &&
    (await client.getTransaction({ hash: newest.hash }).then(
      () => true,
      () => false,
    ))
  if (isKnown && !isHead) return undefined
  const isReplaced = !sent.isFiller && (await wouldFail(wallet, sent.call))
  if (isReplaced) Object.assign(sent, { call: toFiller(wallet), isFiller: true })
  const { fees: asked, price } = await wallet.standing()
  const isAtCeiling = sent.fees.maxFeePerGas >= ceilingFactor * asked.maxFeePerGas
  // A filler may meet somebody else's transaction, whose fees nobody told us.
  const needsMore = isKnown || isReplaced || sent.isFiller || sent.fees.maxFeePerGas < price
  const isRaised = needsMore && !isAtCeiling
  if (isRaised) sent.fees = raiseFees(sent.fees, asked)
  const { is } = await deliverTransaction(client, await signVersion(wallet, sent))
  if (is !== 'known' && is !== 'unsure') return undefined
  if (sent.isFiller) return 'filled'
  return isRaised ? 'paid more' : 'sent again'
}

async function wouldFail({ account, client }: GasWallet, { to, data, gas }: Call): Promise<boolean> {
  try {
    // The newest block, not the pending one: there the transaction itself may count as done.
    await client.estimateGas({ account, to, data, gas, blockTag: 'latest' })
    return false
  } catch (error) {
    return isExecutionFailure(error)
  }
}

/** Up by a quarter: nodes ask for an eighth or a tenth on both fees before they replace a transaction. */
const raise = (fee: bigint): bigint => (fee * 5n + 3n) / 4n
const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)

const raiseFees = (fees: Fees, asked: Fees): Fees => ({
  maxFeePerGas: larger(raise(fees.maxFeePerGas), asked.maxFeePerGas),
  maxPriorityFeePerGas: larger(raise(fees.maxPriorityFeePerGas), asked.maxPriorityFeePerGas),
})
