import type { toFacilitatorEvmSigner } from '@x402/evm'
import { concat, decodeFunctionResult, encodeFunctionData } from 'viem'
import { multicall3Address } from '../core/chain-constants.ts'
import type { GasSpender } from './gas-spender.ts'
import type { GasWallet } from './gas-wallet.ts'
import type { SettlementSender } from './settlement-sender.ts'

type Signer = ReturnType<typeof toFacilitatorEvmSigner>

interface GasSignerOptions {
  readonly wallet: GasWallet
  readonly sender: SettlementSender
  readonly spender: GasSpender
  /** No call of a payer's code is simulated with more gas. */
  readonly maxGas: number
  /** How long a transaction is waited for; after that its outcome is open. */
  readonly confirmationTimeoutMs: number
}

/** Reads of the token, which are few and not the payer's code. */
const readGas = 1_000_000n
const transfer = 'transferWithAuthorization'

/**
 * What the x402 facilitator sends transactions and reads the chain with. Differs from a plain viem client where a plain
 * one would lose settlements or burn gas for whoever signs cleverly: gas is estimated under the ceiling before a nonce
 * is taken, simulations have the same ceiling, payers take turns, and reading code never rejects.
 */
export function makeGasSigner({ wallet, sender, spender, ...limits }: GasSignerOptions): Signer {
  const maxGas = BigInt(limits.maxGas)
  const { account, client } = wallet

  const readContract: Signer['readContract'] = async ({ address, abi, functionName, args = [] }) => {
    const call = { abi, functionName, args }
    const data = encodeFunctionData(call)
    if (functionName === transfer) {
      await spender.rehearse({ to: address, data }, typeof args[2] === 'bigint' ? args[2] : 0n)
      return undefined
    }
    const isOfPayer = address.toLowerCase() !== multicall3Address.toLowerCase()
    const answer = await client
      // What is called through the other contract may be the deployment of a wallet, up to the ceiling.
      .call({ to: address, data, gas: isOfPayer || maxGas > readGas ? maxGas : readGas })
      .catch((error: unknown) => (isOfPayer ? spender.explain(error, { to: address, data }) : Promise.reject(error)))
    return decodeFunctionResult({ ...call, data: answer.data ?? '0x' })
  }

  const writeContract: Signer['writeContract'] = async ({ address, abi, functionName, args, dataSuffix = '0x' }) => {
    const [payer, , value, , , nonce] = args
    if (
      functionName !== transfer ||
      typeof payer !== 'string' ||
      typeof value !== 'bigint' ||
      typeof nonce !== 'string'
    )
      throw new TypeError('Only signed transfers are sent')
    const data = concat([encodeFunctionData({ abi, functionName, args }), dataSuffix])
    return spender.spend({ to: address, data }, { payer, nonce, value, asset: address })
  }

  return {
    getAddresses: () => [account.address],
    readContract,
    writeContract,
    // A wallet is deployed and pays in one transaction of ours (deploying-settlement.ts), never by this.
    sendTransaction: () => Promise.reject(new Error('No wallet is deployed without its payment')),
    waitForTransactionReceipt: ({ hash }) => sender.receiptOf(hash, limits.confirmationTimeoutMs),
    // The library leaves this promise unawaited when it refuses early; a rejection would end the process.
    getCode: ({ address }) => client.getCode({ address }).catch(() => undefined),
    verifyTypedData: () => Promise.reject(new Error('The exact scheme checks signatures itself')),
  }
}
