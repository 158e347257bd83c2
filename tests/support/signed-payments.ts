import { randomBytes } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import type { Asset } from '../../src/core/assets.ts'
import { network, usdcAddress, usdcDomain } from '../../src/core/chain-constants.ts'
import { getNetwork } from '../../src/core/networks.ts'
import { transferAuthorizationTypes } from './transfer-authorization.ts'

export const testPayTo = '0x2222222222222222222222222222222222221402'

export interface PaymentWish {
  amount: bigint
  /** Unix seconds. */
  validBefore?: number
  validAfter?: number
  payTo?: string
  token?: string
  identifier?: string
  nonce?: `0x${string}`
  privateKey?: `0x${string}`
  /** The payment token; USDC on Base when absent. */
  asset?: Asset
  /** The network that it is signed for, if that differs from the one it names. */
  signedFor?: string
}

export const encodeHeader = (payload: unknown): string => Buffer.from(JSON.stringify(payload)).toString('base64')

/** A really signed payment (EIP-712) as a stock client would build it, without a request for a 402 before. */
export async function signPayment(wish: PaymentWish) {
  const account = privateKeyToAccount(wish.privateKey ?? sandboxAccounts.buyer.privateKey)
  const to = (wish.payTo ?? testPayTo) as `0x${string}`
  const message = {
    from: account.address,
    to,
    value: wish.amount,
    validAfter: BigInt(wish.validAfter ?? 0),
    validBefore: BigInt(wish.validBefore ?? Math.floor(Date.now() / 1000) + 300),
    nonce: wish.nonce ?? (`0x${randomBytes(32).toString('hex')}` as const),
  }
  const { domain: named, address, network: on } = wish.asset ?? { domain: usdcDomain, address: usdcAddress, network }
  const { chainId } = getNetwork(wish.signedFor ?? on)
  const domain = { ...named, chainId, verifyingContract: address as `0x${string}` }
  const signature = await account.signTypedData({
    domain,
    types: transferAuthorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message,
  })
  const accepted = {
    scheme: 'exact',
    network: on,
    asset: address,
    amount: wish.amount.toString(),
    payTo: to,
    maxTimeoutSeconds: 300,
    extra: named,
  }
  const extensions = {
    ...(wish.token && { redelivery: { info: { token: wish.token } } }),
    ...(wish.identifier && { 'payment-identifier': { info: { required: false, id: wish.identifier } } }),
  }
  const payload = {
    x402Version: 2,
    accepted,
    payload: {
      signature,
      authorization: {
        from: message.from,
        to: message.to,
        value: message.value.toString(),
        validAfter: message.validAfter.toString(),
        validBefore: message.validBefore.toString(),
        nonce: message.nonce,
      },
    },
    ...(Object.keys(extensions).length > 0 && { extensions }),
  }
  return { payload, header: encodeHeader(payload), nonce: message.nonce, payer: account.address.toLowerCase() }
}

export type SignedPayment = Awaited<ReturnType<typeof signPayment>>
