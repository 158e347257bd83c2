import type { FacilitatorClient } from '@x402/core/server'
import { type Hex, isAddress, isHex, parseErc6492Signature, recoverTypedDataAddress, size } from 'viem'
import { z } from 'zod'
import { transferTypes } from '../core/chain-constants.ts'
import { findNetwork } from '../core/networks.ts'

export type PaymentPayload = Parameters<FacilitatorClient['verify']>[0]
export type PaymentTerms = Parameters<FacilitatorClient['verify']>[1]

const address = z.custom<Hex>((text) => typeof text === 'string' && isAddress(text))
const hex = z.custom<Hex>((text) => isHex(text))
const uint = z.string().regex(/^\d+$/).transform(BigInt)
const Signed = z.object({
  signature: hex,
  authorization: z.object({ from: address, to: address, value: uint, validAfter: uint, validBefore: uint, nonce: hex }),
})
const Domain = z.object({ name: z.string(), version: z.string() })

/** A payment of a wallet that is not deployed yet: the call that deploys it, and what it signed. */
export interface UndeployedPayment {
  /** The token. */
  readonly asset: Hex
  readonly factory: Hex
  readonly factoryData: Hex
  readonly authorization: z.output<typeof Signed>['authorization']
  /** The inner signature, which the wallet accepts once it is deployed. */
  readonly inner: Hex
}

/**
 * Unwraps an ERC-6492 signature. The wrapping is dropped where nothing has to be deployed: when the wallet exists, or
 * when the payer is a plain account, which would otherwise make us deploy a wallet for free.
 *
 * @returns the payment to verify and, when its wallet has to be deployed, how
 * @throws Error when the chain does not respond
 */
export async function unwrapPayment(
  payment: PaymentPayload,
  terms: PaymentTerms,
  hasCode: (address: Hex) => Promise<boolean>,
): Promise<{ payment: PaymentPayload; undeployed?: UndeployedPayment }> {
  const read = Signed.safeParse(payment.payload)
  if (!read.success) return { payment }
  const { signature, authorization } = read.data
  const { address: factory, data: factoryData, signature: inner } = parseErc6492Signature(signature)
  const { asset } = terms
  if (!factory || !factoryData || BigInt(factory) === 0n || !isAddress(asset)) return { payment }
  const bare = { payment: { ...payment, payload: { ...payment.payload, signature: inner } } }
  if (await hasCode(authorization.from)) return bare
  if (size(inner) === 65 && (await recovers(terms, authorization, inner))) return bare
  return { payment, undeployed: { asset, factory, factoryData, authorization, inner } }
}

async function recovers(
  { network, asset, extra }: PaymentTerms,
  authorization: UndeployedPayment['authorization'],
  signature: Hex,
): Promise<boolean> {
  const domain = Domain.safeParse(extra)
  const on = findNetwork(network)
  if (!domain.success || !isAddress(asset) || !on) return false
  try {
    const signer = await recoverTypedDataAddress({
      domain: { ...domain.data, chainId: on.chainId, verifyingContract: asset },
      types: transferTypes,
      primaryType: 'TransferWithAuthorization',
      message: authorization,
      signature,
    })
    return signer.toLowerCase() === authorization.from.toLowerCase()
  } catch {
    // The numbers are not a valid signature, so no key made them.
    return false
  }
}
