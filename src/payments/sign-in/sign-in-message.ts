import { getAddress, isAddress } from 'viem'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import { chainId } from '../../core/chain-constants.ts'
import { signInMinutes } from './sign-in-nonces.ts'

/** What a wallet is asked to sign (EIP-4361); whoever reads it there knows what for. */
export interface SignInTerms {
  /** Host and port of whoever asks. */
  readonly domain: string
  /** What it opens. */
  readonly uri: string
  readonly nonce: string
  readonly issuedAt: Date
  readonly statement: string
}

export const signInStatement = 'Show that this wallet is yours. This costs nothing and moves no money.'
export const expiryOf = (issuedAt: Date): Date => new Date(issuedAt.getTime() + signInMinutes * 60 * 1000)

/** The text for one wallet; undefined when that is no address. */
export function toSignInMessage({ issuedAt, ...terms }: SignInTerms, address: string): string | undefined {
  if (!isAddress(address, { strict: false })) return undefined
  const expirationTime = expiryOf(issuedAt)
  const message = { ...terms, address: getAddress(address), chainId, version: '1' as const, issuedAt, expirationTime }
  return createSiweMessage({ ...message, resources: [terms.uri] })
}

/** A message as its fields; undefined when it is not one, or says anything in another way than the standard does. */
export function readSignInMessage(text: string) {
  if (text.length > 2000) return undefined
  try {
    const { address, domain, uri, nonce, version, chainId: chain, issuedAt, ...rest } = parseSiweMessage(text)
    if (!(address && domain && uri && nonce && version && chain && issuedAt)) return undefined
    const fields = { ...rest, address, domain, uri, nonce, version, chainId: chain, issuedAt }
    return createSiweMessage(fields) === text ? fields : undefined
  } catch {
    // A field that the standard does not allow.
    return undefined
  }
}
