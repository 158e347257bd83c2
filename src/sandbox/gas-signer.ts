import type { toFacilitatorEvmSigner } from '@x402/evm'
import { concat, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { multicall3Address } from '../core/chain-constants.ts'
import { type GasLimits, isTooDear } from '../core/gas-limits.ts'
import type { GasWallet } from './gas-wallet.ts'
import type { PayerTurns } from './payer-turns.ts'
import type { SettlementSender } from './settlement-sender.ts'
import { isExecutionFailure } from './watch-chain.ts'

type Signer = ReturnType<typeof toFacilitatorEvmSigner>

interface GasSignerOptions {
  readonly wallet: GasWallet
  readonly sender: SettlementSender
  readonly turns: PayerTurns
  /** No transaction may use more gas, and no call of a payer's code is simulated with more. */
  readonly limits: GasLimits
  /** How long a transaction is waited for; after that its outcome is open. */
  readonly confirmationTimeoutMs: number
  readonly refuse: (reason: string) => Error
  /** Throws what the chain failed with, so that it is not held against the payment. */
  readonly fail: (trouble: unknown) => never
  /** Told before money may move. */
  readonly onSend: () => void
}

/** Reads of the token, which are few and not the payer's code. */
const readGas = 1_000_000n
const transfer = 'transferWithAuthorization'

/**
 * What the x402 facilitator sends transactions and reads the chain with. Differs from a plain viem client where a plain
 * one would lose settlements or burn gas for whoever signs cleverly: gas is estimated under the ceiling before a nonce
 * is taken, simulations have the same ceiling, payers take turns, and reading code never rejects.
 */
export function makeGasSigner(options: GasSignerOptions): Signer {
  const { wallet, sender, turns, limits, confirmationTimeoutMs, refuse, fail, onSend } = options
  const maxGas = BigInt(limits.maxGas)
  const { account, client } = wallet

  const standing = () => wallet.standing().catch(fail)
  /** A transfer that must revert fails here; with a price on gas, because some wallets tell a simulation by its absence. */
  const estimate = async (to: Hex, data: Hex): Promise<bigint> => {
    const { fees } = await standing()
    return client
      .estimateGas({ account, to, data, gas: maxGas, ...fees, blockTag: 'latest' })
      .catch((error: unknown) => explain(error, { to, data }))
  }
  /** Tells a costly wallet from one that says no: with ten times the gas, the first would agree. */
  const explain = async (error: unknown, call: { to: Hex; data: Hex }): Promise<never> => {
    if (!isExecutionFailure(error)) throw error
    // Without a price: a wallet of ours that pays for one settlement must not seem too poor for the question.
    const isCostly = await client.call({ account, ...call, gas: 10n * maxGas }).then(
      () => true,
      () => false,
    )
    throw isCostly ? refuse('settlement_gas_above_limit') : error
  }

  const readContract: Signer['readContract'] = async ({ address, abi, functionName, args = [] }) => {
    const call = { abi, functionName, args }
    const data = encodeFunctionData(call)
    if (functionName === transfer) {
      const gas = await estimate(address, data)
      const { price } = await standing()
      const amount = typeof args[2] === 'bigint' ? args[2] : 0n
      if (isTooDear({ gas, price, amount }, limits)) throw refuse('settlement_gas_above_price')
      return undefined
    }
    const isOfPayer = address.toLowerCase() !== multicall3Address.toLowerCase()
    const answer = await client
      .call({ to: address, data, gas: isOfPayer ? maxGas : readGas })
      .catch((error: unknown) => (isOfPayer ? explain(error, { to: address, data }) : Promise.reject(error)))
    return decodeFunctionResult({ ...call, data: answer.data ?? '0x' })
  }

  const writeContract: Signer['writeContract'] = async ({ address, abi, functionName, args, dataSuffix = '0x' }) => {
    const [from, , value, , , nonce] = args
    if (functionName !== transfer || typeof from !== 'string' || typeof value !== 'bigint' || typeof nonce !== 'string')
      throw new TypeError('Only signed transfers are sent')
    const data = concat([encodeFunctionData({ abi, functionName, args }), dataSuffix])
    const leave = await turns.take({ payer: from, nonce, value })
    try {
      const needed = ((await estimate(address, data)) * 12n) / 10n
      onSend()
      return await sender.send({ to: address, data, gas: needed < maxGas ? needed : maxGas }, (ending) => {
        leave()
        if (ending.is === 'mined' && ending.receipt.status === 'reverted') void turns.reverted(from)
      })
    } catch (error) {
      leave()
      throw error
    }
  }

  return {
    getAddresses: () => [account.address],
    readContract,
    writeContract,
    sendTransaction: () => Promise.reject(new Error('No wallet is deployed for a payer')),
    waitForTransactionReceipt: ({ hash }) => sender.receiptOf(hash, confirmationTimeoutMs),
    // The library leaves this promise unawaited when it refuses early; a rejection would end the process.
    getCode: ({ address }) => client.getCode({ address }).catch(() => undefined),
    verifyTypedData: () => Promise.reject(new Error('The exact scheme checks signatures itself')),
  }
}
