import { type Hex, keccak256, type TransactionReceipt } from 'viem'
import { deliverTransaction } from './deliver-transaction.ts'
import type { Fees, GasWallet } from './gas-wallet.ts'
import { isExecutionFailure } from './watch-chain.ts'

/** A transaction that offers this many times the current fees is not helped by more. */
const ceilingFactor = 4n
const fillerGas = 21_000n

export interface Call {
  readonly to: Hex
  readonly data: Hex
  /** The gas limit; unused gas is not paid for. */
  readonly gas: bigint
}

/** How a transaction ended. `lost`: its nonce was used by another transaction. */
export type Ending = { is: 'mined'; receipt: TransactionReceipt } | { is: 'lost' }

/** One nonce and all versions that were sent with it, of which at most one is ever mined. */
export interface Sent {
  readonly nonce: number
  readonly versions: { readonly hash: Hex; readonly isFiller: boolean }[]
  readonly onEnd: (ending: Ending) => void
  call: Call
  /** Whether its newest version is a filler, which only uses up the nonce. */
  isFiller: boolean
  fees: Fees
  /** Milliseconds of the caller's clock. */
  since: number
  touchedAt: number
  endedAt: number
  ending: Ending | undefined
  isReported: boolean
}

/** What was done for a transaction that was pending for too long. */
export type Revival = 'sent again' | 'paid more' | 'filled'

/** Signs the newest version of a transaction and records its hash before it is sent. */
export async function signVersion(wallet: GasWallet, sent: Sent): Promise<Hex> {
  const raw = await wallet.sign({ ...sent.call, ...sent.fees, nonce: sent.nonce })
  const hash = keccak256(raw)
  if (!sent.versions.some((version) => version.hash === hash)) sent.versions.push({ hash, isFiller: sent.isFiller })
  return raw
}

/** A filler: a transfer of nothing to the wallet itself, which uses up a nonce. */
export const toFiller = (wallet: GasWallet): Call => ({ to: wallet.account.address, data: '0x', gas: fillerGas })

/**
 * Helps a pending transaction: sends it again when the network has lost it; raises its fees when the network has it but
 * does not mine it; and replaces it by a filler when the call would fail by now, so that it burns no gas and later ones
 * can move on.
 *
 * `isHead`: all others wait for this one; only then do higher fees help.
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
  // A filler may compete with a transaction of another program, whose fees are unknown.
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
    // Uses the newest block rather than the pending one, in which the transaction itself may count as done.
    await client.estimateGas({ account, to, data, gas, blockTag: 'latest' })
    return false
  } catch (error) {
    return isExecutionFailure(error)
  }
}

/** Raises a fee by 25 %: nodes require 10 to 12.5 % on both fees to replace a transaction. */
const raise = (fee: bigint): bigint => (fee * 5n + 3n) / 4n
const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)

const raiseFees = (fees: Fees, asked: Fees): Fees => ({
  maxFeePerGas: larger(raise(fees.maxFeePerGas), asked.maxFeePerGas),
  maxPriorityFeePerGas: larger(raise(fees.maxPriorityFeePerGas), asked.maxPriorityFeePerGas),
})
