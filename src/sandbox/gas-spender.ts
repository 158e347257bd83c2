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
  /** No transaction may use more gas, and no call of a payer's code is simulated with more. */
  readonly limits: GasLimits
  readonly refuse: (reason: string) => Error
  /** Throws what the chain failed with, so that it is not held against the payment. */
  readonly fail: (trouble: unknown) => never
  /** Told before money may move. */
  readonly onSend: () => void
}

export interface SpenderCall {
  readonly to: Hex
  readonly data: Hex
}

/** Spends gas for payments, never more than the limits say: whatever is sent was simulated under the same ceiling. */
export function makeGasSpender({ wallet, sender, turns, limits, refuse, fail, onSend }: GasSpenderOptions) {
  const maxGas = BigInt(limits.maxGas)
  const { account, client } = wallet

  const standing = () => wallet.standing().catch(fail)
  /** Tells a costly wallet from one that says no: with ten times the gas, the first would agree. */
  const explain = async (error: unknown, call: SpenderCall): Promise<never> => {
    if (!isExecutionFailure(error)) throw error
    // Without a price: a wallet of ours that pays for one settlement must not seem too poor for the question.
    const isCostly = await client.call({ account, ...call, gas: 10n * maxGas }).then(
      () => true,
      () => false,
    )
    throw isCostly ? refuse('settlement_gas_above_limit') : error
  }
  /** What must revert fails here; with a price on gas, because some wallets tell a simulation by its absence. */
  const estimate = async (call: SpenderCall): Promise<bigint> => {
    const { fees } = await standing()
    const gas = await client
      .estimateGas({ account, ...call, gas: maxGas, ...fees, blockTag: 'latest' })
      .catch((error: unknown) => explain(error, call))
    // Not every node takes the ceiling of the call as the ceiling of the search.
    if (gas > maxGas) throw refuse('settlement_gas_above_limit')
    return gas
  }

  return {
    explain,
    /** Goes through when the call would succeed now, for gas that is worth the amount. Atomic units. */
    async rehearse(call: SpenderCall, amount: bigint): Promise<void> {
      const gas = await estimate(call)
      const { price } = await standing()
      if (isTooDear({ gas, price, amount }, limits)) throw refuse('settlement_gas_above_price')
    },
    /** Sends a call for one payment when its payer has the turn; rejects, with nothing sent, when it would fail now. */
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
