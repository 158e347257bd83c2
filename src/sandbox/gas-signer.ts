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
  /** The largest gas of a simulated call of a payer's code. */
  readonly maxGas: number
  /** How long to wait for a transaction; after that its outcome is unknown. */
  readonly confirmationTimeoutMs: number
}

/** The gas for reads of the token, which do not run the payer's code. */
const readGas = 1_000_000n
const transfer = 'transferWithAuthorization'

/**
 * The signer with which the x402 facilitator sends transactions and reads the chain. It differs from a plain viem
 * client where that would lose settlements or let a malicious payer burn gas: gas is estimated under the limit before a
 * nonce is taken, simulations have the same limit, payers take turns, and reading code never rejects.
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
      // Calls through Multicall3 may deploy a wallet, which needs up to the limit.
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
    // A wallet is deployed together with its payment (deploying-settlement.ts), never by this method.
    sendTransaction: () => Promise.reject(new Error('No wallet is deployed without its payment')),
    waitForTransactionReceipt: ({ hash }) => sender.receiptOf(hash, limits.confirmationTimeoutMs),
    // The library does not await this promise when it refuses early, and an unhandled rejection would end the process.
    getCode: ({ address }) => client.getCode({ address }).catch(() => undefined),
    verifyTypedData: () => Promise.reject(new Error('The exact scheme checks signatures itself')),
  }
}
