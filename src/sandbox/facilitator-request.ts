import type { FacilitatorClient } from '@x402/core/server'
import { isAddress, isErc6492Signature, isHex, parseErc6492Signature } from 'viem'
import { z } from 'zod'
import type { Network } from '../core/networks.ts'

const address = z.string().refine((text) => isAddress(text), 'is not an address')
const hex = (pattern: RegExp) => z.string().regex(pattern)
const uint256 = z
  .string()
  .regex(/^\d{1,78}$/)
  .refine((digits) => BigInt(digits) < 2n ** 256n, 'is larger than uint256')

/** The largest signature in characters: more than one of a smart wallet with ERC-6492 wrapping needs. */
const maxSignatureChars = 16_384

const Requirements = z.looseObject({
  scheme: z.literal('exact'),
  network: z.string(),
  amount: uint256,
  asset: address,
  payTo: address,
  maxTimeoutSeconds: z.number().positive(),
  extra: z.looseObject({ name: z.string(), version: z.string() }),
})

const Authorization = z.strictObject({
  from: address,
  to: address,
  value: uint256,
  validAfter: uint256,
  validBefore: uint256,
  nonce: hex(/^0x[0-9a-fA-F]{64}$/),
})

const FacilitatorRequest = z.object({
  x402Version: z.literal(2),
  paymentPayload: z.looseObject({
    x402Version: z.literal(2),
    accepted: Requirements,
    payload: z.strictObject({
      signature: hex(/^0x(?:[0-9a-fA-F]{2})+$/).max(maxSignatureChars),
      authorization: Authorization,
    }),
  }),
  paymentRequirements: Requirements,
})

type Payment = {
  payload: Parameters<FacilitatorClient['verify']>[0]
  requirements: Parameters<FacilitatorClient['verify']>[1]
}

/**
 * Reads the body of `POST /verify` and `POST /settle`: EIP-3009 payments of the exact scheme on the given network, both
 * in the terms and in what the buyer accepted. The library handles everything that passes without throwing. Undefined
 * for any other body.
 */
export const readFacilitatorRequest = (body: string, network: Network['id']): Payment | undefined => {
  try {
    const { paymentPayload, paymentRequirements } = FacilitatorRequest.parse(JSON.parse(body))
    if (paymentPayload.accepted.network !== network || paymentRequirements.network !== network) return undefined
    const payload = { ...paymentPayload, accepted: { ...paymentPayload.accepted, network } }
    return { payload, requirements: { ...paymentRequirements, network } }
  } catch {
    return undefined
  }
}

const Signed = z.object({
  payload: z.object({ signature: z.string(), authorization: z.object({ from: z.string() }) }),
})

/**
 * Reads from a payment: its alleged payer, whether the signature can be parsed, and whether it is wrapped, as those of
 * undeployed wallets are (ERC-6492).
 */
export function readSignedTransfer(payment: unknown): {
  payer: string | undefined
  isReadable: boolean
  isWrapped: boolean
} {
  const read = Signed.safeParse(payment)
  if (!read.success) return { payer: undefined, isReadable: false, isWrapped: false }
  const { signature, authorization } = read.data.payload
  const isReadable = isHex(signature) && isUnwrappable(signature)
  return { payer: authorization.from, isReadable, isWrapped: isReadable && isErc6492Signature(signature) }
}

/** A signature that ends in the ERC-6492 marker must hold a factory, its data and another signature. */
function isUnwrappable(signature: `0x${string}`): boolean {
  try {
    parseErc6492Signature(signature)
    return true
  } catch {
    return false
  }
}
