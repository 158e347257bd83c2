import { randomBytes } from 'node:crypto'
import { isHex } from 'viem'
import { transferTypes } from '../../core/chain-constants.ts'
import { getNetwork } from '../../core/networks.ts'
import type { Requirements } from '../wire/payment.ts'

/**
 * A well-formed payment with a valid signature, by a new wallet that holds nothing. A working facilitator answers that
 * the funds are insufficient, and no buyer can make it fail on this payment. The signing code is imported when it is
 * first needed, because loading it slows down the start and most programs never need it.
 *
 * @throws TypeError when the terms have no valid addresses
 */
export async function makeKnownGoodPayment(terms: Requirements): Promise<Record<string, unknown>> {
  const { generatePrivateKey, privateKeyToAccount } = await import('viem/accounts')
  const wallet = privateKeyToAccount(generatePrivateKey())
  const { asset, payTo } = terms
  const nonce = `0x${randomBytes(32).toString('hex')}` as const
  if (!isHex(asset) || !isHex(payTo)) throw new TypeError('terms without addresses')
  const value = BigInt(terms.amount)
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + terms.maxTimeoutSeconds)
  const signature = await wallet.signTypedData({
    domain: { ...terms.extra, chainId: getNetwork(terms.network).chainId, verifyingContract: asset },
    types: transferTypes,
    primaryType: 'TransferWithAuthorization',
    message: { from: wallet.address, to: payTo, value, validAfter: 0n, validBefore, nonce },
  })
  const authorization = {
    from: wallet.address,
    to: payTo,
    value: terms.amount,
    validAfter: '0',
    validBefore: validBefore.toString(),
    nonce,
  }
  return { x402Version: 2, accepted: terms, payload: { signature, authorization } }
}
