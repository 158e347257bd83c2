import { randomBytes } from 'node:crypto'
import type { PrivateKeyAccount } from 'viem'
import { z } from 'zod'
import { network } from '../../src/core/chain-constants.ts'
import { transferAuthorizationTypes } from './transfer-authorization.ts'

const address = z.templateLiteral(['0x', z.string()])

/** Terms that a wallet can sign. */
export const termsSchema = z.looseObject({
  scheme: z.literal('exact'),
  network: z.literal(network),
  amount: z.string(),
  asset: address,
  payTo: address,
  maxTimeoutSeconds: z.number(),
  extra: z.object({ name: z.string(), version: z.string() }),
})
export type Terms = z.output<typeof termsSchema>

/** Signs terms as wallets with their own signing code do, which differ in the start of validity. */
export async function signTerms(
  account: PrivateKeyAccount,
  { asset, payTo, amount, maxTimeoutSeconds, extra }: Terms,
  validAfter = 0,
) {
  const nonce = `0x${randomBytes(32).toString('hex')}` as const
  const validBefore = Math.floor(Date.now() / 1000) + maxTimeoutSeconds
  const words = { from: account.address, to: payTo, nonce }
  const signature = await account.signTypedData({
    domain: { ...extra, chainId: 8453, verifyingContract: asset },
    types: transferAuthorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...words,
      value: BigInt(amount),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
    },
  })
  const authorization = {
    ...words,
    value: amount,
    validAfter: validAfter.toString(),
    validBefore: validBefore.toString(),
  }
  return { signature, authorization }
}
