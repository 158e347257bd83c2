import type { PendingSettlementStore } from '@x402/core/facilitator'
import type { SettleResponse } from '@x402/core/types'
import { encodeFunctionData, type Hex, isHex, parseAbi, type TransactionReceipt } from 'viem'
import { multicall3Address } from '../core/chain-constants.ts'
import type { Network } from '../core/networks.ts'
import type { GasSpender, SpenderCall } from './gas-spender.ts'
import type { UndeployedPayment } from './unwrap-payment.ts'

const token = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])
const multicall = parseAbi([
  'struct Call { address target; bytes callData; }',
  'function tryAggregate(bool requireSuccess, Call[] calls) payable',
])

interface Deps {
  /** The network (CAIP-2). */
  readonly network: Network['id']
  readonly spender: GasSpender
  readonly receiptOf: (hash: Hex) => Promise<TransactionReceipt>
  readonly pending: PendingSettlementStore
}

/**
 * Settles for wallets that are not deployed yet (ERC-6492). Deployment and payment are one transaction that succeeds or
 * fails as a whole. With two, an owner could move the money away between them and get a wallet at our cost. The factory
 * is called through Multicall3, without value, so that it is never called by our gas wallet directly.
 */
export function makeDeployingSettlement({ network, spender, receiptOf, pending }: Deps) {
  const toCall = ({ asset, factory, factoryData, authorization, inner }: UndeployedPayment): SpenderCall => {
    const { from, to, value, validAfter, validBefore, nonce } = authorization
    const args = [from, to, value, validAfter, validBefore, nonce, inner] as const
    const transfer = encodeFunctionData({ abi: token, functionName: 'transferWithAuthorization', args })
    const calls = [
      { target: factory, callData: factoryData },
      { target: asset, callData: transfer },
    ]
    return {
      to: multicall3Address,
      data: encodeFunctionData({ abi: multicall, functionName: 'tryAggregate', args: [true, calls] }),
    }
  }

  return {
    /**
     * Simulates deployment and transfer together; rejects if they would fail now, or cost more gas than the limits
     * allow for the amount.
     */
    rehearse: (payment: UndeployedPayment): Promise<void> =>
      spender.rehearse(toCall(payment), payment.authorization.value),
    /**
     * Sends both in one transaction, or waits for the one that an earlier attempt sent.
     *
     * @param key the signature, by which a transaction that is not mined yet is found again
     */
    async settle(payment: UndeployedPayment, key: string): Promise<SettleResponse> {
      const { from: payer, nonce, value } = payment.authorization
      const earlier = await pending.get(key)
      const isSent = earlier !== undefined && isHex(earlier)
      const transaction = isSent
        ? earlier
        : await spender.spend(toCall(payment), { payer, nonce, value, asset: payment.asset, isUndeployed: true })
      const answer = { transaction, network, payer } as const
      try {
        const { status } = await receiptOf(transaction)
        await pending.delete(key)
        if (status === 'success') return { success: true, ...answer }
        return { success: false, errorReason: 'invalid_exact_evm_transaction_failed', ...answer }
      } catch {
        // Not mined in time: a repeated request waits for the same transaction.
        await pending.set(key, transaction)
        return { success: false, errorReason: 'settlement_pending', ...answer }
      }
    },
    isUnderWay: async (key: string): Promise<boolean> => (await pending.get(key)) !== undefined,
  }
}
