import { isHex, parseErc6492Signature } from 'viem'
import { z } from 'zod'

const Signed = z.object({
  payload: z.object({ signature: z.string(), authorization: z.object({ from: z.string() }) }),
})

/** Who is said to have signed a payment, and whether its signature can be taken apart at all. */
export function readSignedTransfer(payment: unknown): { payer: string | undefined; isReadable: boolean } {
  const read = Signed.safeParse(payment)
  if (!read.success) return { payer: undefined, isReadable: false }
  const { signature, authorization } = read.data.payload
  return { payer: authorization.from, isReadable: isHex(signature) && isUnwrappable(signature) }
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
