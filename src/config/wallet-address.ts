import { keccak_256 } from '@noble/hashes/sha3.js'
import { z } from 'zod'

/**
 * Writes an address with the checksum of EIP-55: a letter is upper case where the hex digit of the hash at its place is
 * 8 or more. It is implemented here because every program reads its settings first, and viem would load 240 modules.
 */
function spell(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = Buffer.from(keccak_256(digits)).toString('hex')
  const letters = [...digits].map((digit, at) => ((hash[at] ?? '') >= '8' ? digit.toUpperCase() : digit))
  return `0x${letters.join('')}`
}

/**
 * Parses a wallet address. Mixed case is a checksum (EIP-55): one that does not fit was mistyped, and payments to it
 * would be lost. An address in one case only has no checksum; it is converted to lower case (unless its checksum form
 * is the same), because wallet libraries throw on wrong case.
 */
export const walletAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, { error: 'must be 0x and 40 hexadecimal digits', abort: true })
  .refine(
    (address) => !hasChecksum(address) || address === spell(address),
    'has a wrong checksum, so at least one character is wrong: copy it again from your wallet',
  )
  .transform((address) => (address === spell(address) ? address : address.toLowerCase()))

/** An address in mixed case carries a checksum, whether right or wrong. */
const hasChecksum = (address: string): boolean => /[a-f]/.test(address) && /[A-F]/.test(address)

/** The address with its checksum, for an address without one; undefined where nothing would change. */
export const findSpelling = (address: string): string | undefined => {
  const spelled = spell(address)
  return hasChecksum(address) || address === spelled ? undefined : spelled
}
