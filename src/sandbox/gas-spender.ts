import type { Hex } from 'viem'
import { type GasLimits, isTooDear } from '../core/gas-limits.ts'
import type { GasWallet } from './gas-wallet.ts'
import type { PayerTurns, Settlement } from './payer-turns.ts'
import type { SettlementSender } from './settlement-sender.ts'
import { isExecutionFailure } from './watch-chain.ts'

interface GasSpenderOptions {
  readonly wallet: GasWallet
  readonly sender: SettlementSender
  readonly turns: PayerTurns
  /** The limits for transactions, and for simulated calls of a payer's code. */
  readonly limits: GasLimits
  readonly refuse: (reason: string) => Error
  /** Throws a failure of the chain in such a way that it does not count as a refusal of the payment. */
  readonly fail: (trouble: unknown) => never
  /** Called before money may move. */
  readonly onSend: () => void
}

export interface SpenderCall {
  readonly to: Hex
  readonly data: Hex
}

/**
 * Spends gas for payments within the limits. Every transaction is simulated under the same limits before it is sent.
 */
export function makeGasSpender({ wallet, sender, turns, limits, refuse, fail, onSend }: GasSpenderOptions) {
  const maxGas = BigInt(limits.maxGas)
  const { account, client } = wallet

  const standing = () => wallet.standing().catch(fail)
  /**
   * Distinguishes a wallet that needs too much gas from one that refuses: with ten times the gas, the first would
   * succeed.
   */
  const explain = async (error: unknown, call: SpenderCall): Promise<never> => {
    if (!isExecutionFailure(error)) throw error
    // Without a gas price, because otherwise our gas wallet might be too poor for ten times the gas.
    const isCostly = await client.call({ account, ...call, gas: 10n * maxGas }).then(
      () => true,
      () => false,
    )
    throw isCostly ? refuse('settlement_gas_above_limit') : error
  }
  /**
   * Estimates the gas of a call; rejects if it would revert. The gas price is set, because some wallets recognize a
   * simulation by its absence.
   */
  const estimate = async (call: SpenderCall): Promise<bigint> => {
    const { fees } = await standing()
    const gas = await client
      .estimateGas({ account, ...call, gas: maxGas, ...fees, blockTag: 'latest' })
      .catch((error: unknown) => explain(error, call))
    // Not every node applies the gas of the call as the limit of its estimate.
    if (gas > maxGas) throw refuse('settlement_gas_above_limit')
    return gas
  }

  return {
    explain,
    /**
     * Simulates a call; rejects if it would fail now, or cost more gas than the limits allow for the amount (in atomic
     * units).
     */
    async rehearse(call: SpenderCall, amount: bigint): Promise<void> {
      const gas = await estimate(call)
      const { price } = await standing()
      if (isTooDear({ gas, price, amount }, limits)) throw refuse('settlement_gas_above_price')
    },
    /**
     * Sends a call for one payment when it is its payer's turn; rejects without sending anything if it would fail now.
     */
    async spend(call: SpenderCall, settlement: Settlement): Promise<Hex> {
      const leave = await turns.take(settlement)
      try {
        const needed = ((await estimate(call)) * 12n) / 10n
        onSend()
        return await sender.send({ ...call, gas: needed < maxGas ? needed : maxGas }, (ending) => {
          leave()
          if (ending.is === 'mined' && ending.receipt.status === 'reverted') void turns.reverted(settlement)
        })
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}

export type GasSpender = ReturnType<typeof makeGasSpender>
