import { x402Facilitator } from '@x402/core/facilitator'
import type { FacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { getAddress, type Hex, isHex, parseAbi } from 'viem'
import { usdcAddress } from '../core/chain-constants.ts'
import { type GasLimits, usualLimits } from '../core/gas-limits.ts'
import type { Log } from '../core/log.ts'
import { base, type Network } from '../core/networks.ts'
import { rpcTransport } from '../http/rpc-transport.ts'
import { makeDeployingSettlement } from './deploying-settlement.ts'
import { readSignedTransfer } from './facilitator-request.ts'
import { isLow, makeGasAlarm } from './gas-alarm.ts'
import { makeGasSigner } from './gas-signer.ts'
import { makeGasSpender } from './gas-spender.ts'
import { type GasStanding, openGasWallet } from './gas-wallet.ts'
import { makePayerTurns } from './payer-turns.ts'
import { makePendingSettlements } from './pending-settlements.ts'
import { makeSettlementSender } from './settlement-sender.ts'
import { type PaymentPayload, type PaymentTerms, type UndeployedPayment, unwrapPayment } from './unwrap-payment.ts'
import { watchChain } from './watch-chain.ts'

export interface FacilitatorOptions {
  rpcUrl: string
  /** The network of the RPC node; Base when absent. */
  network?: Network
  /** The key of the wallet that pays for gas; it never holds the settled money. */
  privateKey: string
  /** The limits on gas; when absent, the usual limit of gas units and none relative to the price. */
  limits?: GasLimits
  /** The token to settle; USDC on Base when absent. */
  asset?: string
  /** Other tokens to settle; none when absent. */
  alsoAssets?: readonly string[]
  /** The only recipient that gas is spent for; any when absent. */
  payTo?: string
  /** Factories whose undeployed contract wallets (ERC-6492) are deployed when they pay; none when absent. */
  walletFactories?: readonly string[]
  /** How long `settle` waits for the receipt before it returns `settlement_pending`. */
  confirmationTimeoutMs?: number
  pollingIntervalMs?: number
  /** How long a settlement waits for earlier ones of the same payer. */
  turnWaitMs?: number
  /** How long a transaction may stay unmined before it is sent again or replaced. */
  reviveAfterMs?: number
  /** When something is waiting and nothing was mined for this long, the facilitator counts as not settling. */
  stallMs?: number
  /** How long one call to the chain may take. */
  rpcTimeoutMs?: number
  log?: Log
}

/** The state of our own facilitator. */
export interface FacilitatorHealth {
  /** Whether a payment that is verified now is likely to be mined. */
  readonly settling: boolean
  /** The number of transactions that are sent and not mined. */
  readonly waiting: number
  /** The wallet that pays for gas; absent when the chain does not respond. */
  readonly gas?: {
    readonly address: string
    readonly balanceWei: string
    /** How many usual settlements it can pay for at the current gas price. */
    readonly settlementsLeft: number
    readonly isLow: boolean
  }
}

export interface OwnFacilitator extends FacilitatorClient {
  readonly health: () => Promise<FacilitatorHealth>
  /** Stops watching transactions; those that were sent stay in the network. */
  readonly close: () => void
}

const balanceAbi = parseAbi(['function balanceOf(address owner) view returns (uint256)'])

/**
 * An x402 facilitator for one network with its own gas key: for the sandbox, or for an operator who wants no third
 * party. It refuses only what the chain refused or what would exceed its gas limits. When the chain does not respond,
 * or nothing can be settled at the moment, `verify` and `settle` throw.
 *
 * @example const facilitator = makeFacilitator({ rpcUrl: chain.url, privateKey: sandboxAccounts.facilitator.privateKey })
 */
export function makeFacilitator(options: FacilitatorOptions): OwnFacilitator {
  const {
    network: on = base,
    rpcUrl,
    privateKey,
    limits = usualLimits,
    asset = usdcAddress,
    payTo,
    log = () => {},
  } = options
  const {
    confirmationTimeoutMs = 20_000,
    pollingIntervalMs = 250,
    turnWaitMs = 5_000,
    reviveAfterMs = 10_000,
    stallMs = 30_000,
    rpcTimeoutMs = 5_000,
    walletFactories = [],
    alsoAssets = [],
  } = options
  // A monotonic clock, because changes of the system clock must not delay a transaction.
  const now = () => performance.now()
  const network = on.id
  const { transport, watch, refuse, fail, sent } = watchChain(
    rpcTransport(rpcUrl, { timeoutMs: rpcTimeoutMs, retryCount: 2 }),
  )
  const wallet = openGasWallet({ transport, privateKey, network: on })
  const { client, account } = wallet
  const onRevived = (nonce: number, how: string) => log('settlement.revived', { nonce, how })
  const sender = makeSettlementSender({ wallet, pollingIntervalMs, reviveAfterMs, now, onRevived })
  const hasCode = async (address: string) => (await client.getCode({ address: getAddress(address) })) !== undefined
  const turns = makePayerTurns({
    hasCode,
    balanceOf: (payer, token = asset) =>
      client.readContract({
        address: getAddress(token),
        abi: balanceAbi,
        functionName: 'balanceOf',
        args: [getAddress(payer)],
      }),
    waitMs: turnWaitMs,
    now,
    refuse,
  })
  const spender = makeGasSpender({ wallet, sender, turns, limits, refuse, fail, onSend: sent })
  const signer = makeGasSigner({ wallet, sender, spender, maxGas: limits.maxGas, confirmationTimeoutMs })
  const pending = makePendingSettlements(sender.knows)
  const scheme = { pendingSettlementStore: pending, eip6492AllowedFactories: [...walletFactories] }
  const facilitator = new x402Facilitator().register(network, new ExactEvmScheme(signer, scheme))
  const receiptOf = (hash: Hex) => sender.receiptOf(hash, confirmationTimeoutMs)
  const deploying = makeDeployingSettlement({ network, spender, receiptOf, pending })
  const { extensions, signers } = facilitator.getSupported()
  const alarm = makeGasAlarm({ address: account.address, log, now })

  /** Why a payment is refused before any call to the library; undefined if it is not. */
  const refusalOf = async (payment: unknown, terms: { asset: string; payTo: string }) => {
    const { payer, isReadable, isWrapped } = readSignedTransfer(payment)
    const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
    if (!isReadable || payer === undefined) return { reason: 'invalid_exact_evm_signature', payer }
    if (![asset, ...alsoAssets].some((token) => isSame(terms.asset, token)))
      return { reason: 'unsupported_asset', payer }
    if (payTo !== undefined && !isSame(terms.payTo, payTo)) return { reason: 'unsupported_recipient', payer }
    if (await turns.isBarred(payer, isWrapped)) return { reason: 'too_many_reverted_settlements', payer }
    return { reason: undefined, payer }
  }
  /** Throws when payments cannot be settled at the moment, because then the shop must not do any work for them. */
  const assertSettling = async () => {
    const queue = sender.queue()
    if (queue.stalledMs > stallMs) {
      alarm.stalled(queue)
      throw new Error(`Nothing was mined for ${Math.round(queue.stalledMs / 1000)} s`)
    }
    const standing = await wallet.standing()
    alarm.gas(standing)
    if (!affords(standing)) throw new Error(`The gas wallet ${account.address} is empty`)
  }
  const affords = ({ balance, fees }: GasStanding) => balance >= BigInt(limits.maxGas) * fees.maxFeePerGas

  const verify = async (given: PaymentPayload, terms: PaymentTerms) => {
    const { payment, undeployed } = await unwrapPayment(given, terms, hasCode)
    const verdict = await facilitator.verify(payment, terms)
    if (verdict.isValid && undeployed) await deploying.rehearse(undeployed)
    return verdict
  }
  const settleUndeployed = async (undeployed: UndeployedPayment, payment: PaymentPayload, terms: PaymentTerms) => {
    const key = String(payment.payload.signature)
    const isUnderWay = await deploying.isUnderWay(key)
    const verdict = isUnderWay ? { isValid: true } : await verify(payment, terms)
    if (verdict.isValid) return deploying.settle(undeployed, key)
    const { invalidReason: errorReason = 'invalid_payload', payer = '' } = verdict
    return { success: false, errorReason, transaction: '', network, payer } as const
  }
  const settle = async (given: PaymentPayload, terms: PaymentTerms) => {
    const { payment, undeployed } = await unwrapPayment(given, terms, hasCode)
    return undeployed ? settleUndeployed(undeployed, payment, terms) : facilitator.settle(payment, terms)
  }

  return {
    async verify(payment, terms) {
      const { reason, payer } = await refusalOf(payment, terms)
      const refused = (invalidReason: string) => ({ isValid: false, invalidReason, ...(payer && { payer }) })
      if (reason) return refused(reason)
      await assertSettling()
      const outcome = await watch(
        () => verify(payment, terms),
        ({ isValid }) => !isValid,
      )
      return outcome.is === 'refused' ? refused(outcome.reason) : outcome.answer
    },
    async settle(payment, terms) {
      const { reason, payer } = await refusalOf(payment, terms)
      const refused = (errorReason: string) =>
        ({ success: false, errorReason, transaction: '', network, ...(payer && { payer }) }) as const
      if (reason) return refused(reason)
      const outcome = await watch(
        () => settle(payment, terms),
        ({ success, transaction }) => !success && !transaction,
      )
      if (outcome.is === 'refused') return refused(outcome.reason)
      const { transaction } = outcome.answer
      return { ...outcome.answer, transaction: isHex(transaction) ? sender.minedHash(transaction) : transaction }
    },
    getSupported: async () => ({ kinds: [{ x402Version: 2, scheme: 'exact', network }], extensions, signers }),
    async health() {
      const queue = sender.queue()
      const isMoving = queue.stalledMs <= stallMs
      if (!isMoving) alarm.stalled(queue)
      const standing = await wallet.standing().catch(() => undefined)
      if (!standing) return { settling: false, waiting: queue.waiting }
      alarm.gas(standing)
      const { balance, settlementsLeft } = standing
      const gas = { address: account.address, balanceWei: balance.toString(), settlementsLeft, isLow: isLow(standing) }
      return { settling: isMoving && affords(standing), waiting: queue.waiting, gas }
    },
    close: sender.close,
  }
}
