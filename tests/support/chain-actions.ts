import { createPublicClient, createWalletClient, http, isHex, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { chainId, usdcAddress, usdcDomain } from '../../src/core/chain-constants.ts'
import type { SignedPayment } from './signed-payments.ts'

const token = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
])
const asset = { address: usdcAddress, abi: token } as const
const cancelTypes = {
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** The signed part of a payment, which is all that the chain needs. */
export type Authorized = { payload: Pick<SignedPayment['payload'], 'payload'> }

/** What anybody can do on the chain with an authorization, without the shop or its facilitator. */
export function makeChainActions(rpcUrl: string) {
  const transport = http(rpcUrl)
  const reader = createPublicClient({ transport })
  const stranger = createWalletClient({ account: privateKeyToAccount(sandboxAccounts.relayer.privateKey), transport })
  const buyer = privateKeyToAccount(sandboxAccounts.buyer.privateKey)

  const authorizationOf = ({ payload }: Authorized) => payload.payload.authorization
  const mined = async (hash: `0x${string}`) => {
    const { status } = await reader.waitForTransactionReceipt({ hash, pollingInterval: 20 })
    if (status !== 'success') throw new Error(`the transaction ${hash} reverted`)
    return hash
  }

  return {
    /** Whether the authorization has been used or cancelled. */
    isUsed: (payment: SignedPayment): Promise<boolean> =>
      reader.readContract({
        ...asset,
        functionName: 'authorizationState',
        args: [buyer.address, payment.nonce],
      }),

    /** Sends the buyer's authorization to the chain as a stranger, which anybody may do who has seen it. */
    async broadcast(payment: Authorized): Promise<string> {
      const { from, to, value, validAfter, validBefore, nonce } = authorizationOf(payment)
      const { signature } = payment.payload.payload
      return mined(
        await stranger.writeContract({
          ...asset,
          chain: null,
          functionName: 'transferWithAuthorization',
          args: [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, signature],
        }),
      )
    },

    /** Cancels the authorization as the buyer: its nonce is used, and nobody is paid. */
    async cancel(payment: SignedPayment): Promise<string> {
      const message = { authorizer: buyer.address, nonce: payment.nonce }
      const signature = await buyer.signTypedData({
        domain: { ...usdcDomain, chainId, verifyingContract: usdcAddress },
        types: cancelTypes,
        primaryType: 'CancelAuthorization',
        message,
      })
      if (!isHex(signature)) throw new TypeError('no signature')
      return mined(
        await stranger.writeContract({
          ...asset,
          chain: null,
          functionName: 'cancelAuthorization',
          args: [message.authorizer, message.nonce, signature],
        }),
      )
    },
  }
}
