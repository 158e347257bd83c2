import { getAddress, isAddress } from 'viem'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import { chainId } from '../../core/chain-constants.ts'
import { signInMinutes } from './sign-in-nonces.ts'

/** The fields of the message that a wallet is asked to sign (EIP-4361). */
export interface SignInTerms {
  /** Host, with its port if any, that asks for the signature. */
  readonly domain: string
  /** The resource that the wallet signs in for. */
  readonly uri: string
  readonly nonce: string
  readonly issuedAt: Date
  readonly statement: string
}

export const signInStatement = 'Show that this wallet is yours. This costs nothing and moves no money.'
/** When a message that was issued at a time expires. */
export const expiryOf = (issuedAt: Date): Date => new Date(issuedAt.getTime() + signInMinutes * 60 * 1000)

/** The message for one wallet; undefined when `address` is not an address. */
export function toSignInMessage({ issuedAt, ...terms }: SignInTerms, address: string): string | undefined {
  if (!isAddress(address, { strict: false })) return undefined
  const expirationTime = expiryOf(issuedAt)
  const message = { ...terms, address: getAddress(address), chainId, version: '1' as const, issuedAt, expirationTime }
  return createSiweMessage({ ...message, resources: [terms.uri] })
}

/**
 * Reads the fields of a message. Undefined when it is not an EIP-4361 message, or differs in any character from the
 * text that its fields make, so that what is checked is all that was signed.
 */
export function readSignInMessage(text: string) {
  if (text.length > 2000) return undefined
  try {
    const { address, domain, uri, nonce, version, chainId: chain, issuedAt, ...rest } = parseSiweMessage(text)
    if (!(address && domain && uri && nonce && version && chain && issuedAt)) return undefined
    const fields = { ...rest, address, domain, uri, nonce, version, chainId: chain, issuedAt }
    return createSiweMessage(fields) === text ? fields : undefined
  } catch {
    // A field has a value that the standard does not allow.
    return undefined
  }
}
