import { keccak_256 } from '@noble/hashes/sha3.js'
import { z } from 'zod'

/**
 * An address with the checksum of EIP-55: a letter is large where the hash of all digits has one from 8 at its place.
 * Every program reads its settings before all else, and viem, which has this too, brings 240 modules with it.
 */
function spell(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = Buffer.from(keccak_256(digits)).toString('hex')
  const letters = [...digits].map((digit, at) => ((hash[at] ?? '') >= '8' ? digit.toUpperCase() : digit))
  return `0x${letters.join('')}`
}

/**
 * An address as wallets write it. Its letters carry a checksum (EIP-55): one that does not fit was mistyped, and what is
 * paid to it is lost. One of small or large letters alone carries none, unless it is spelled so, and goes on in small
 * ones: libraries of wallets throw at the others.
 */
export const walletAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, { error: 'must be 0x and 40 hexadecimal digits', abort: true })
  .refine(
    (address) => !hasChecksum(address) || address === spell(address),
    'has a wrong checksum, so at least one character is wrong: copy it again from your wallet',
  )
  .transform((address) => (address === spell(address) ? address : address.toLowerCase()))

/** Small and large letters in one address are a checksum, right or wrong. */
const hasChecksum = (address: string): boolean => /[a-f]/.test(address) && /[A-F]/.test(address)

/** How an address is written with its checksum, where it is written without; undefined where nothing is to be gained. */
export const findSpelling = (address: string): string | undefined => {
  const spelled = spell(address)
  return hasChecksum(address) || address === spelled ? undefined : spelled
}
