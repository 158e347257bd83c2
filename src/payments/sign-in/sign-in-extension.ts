import { network } from '../../core/chain-constants.ts'
import { expiryOf, signInStatement } from './sign-in-message.ts'
import type { SignInNonces } from './sign-in-nonces.ts'

/** What a 402 needs to offer that an owner signs in instead of paying. */
export interface SignInOffer {
  readonly nonces: SignInNonces
  readonly now: () => number
}

/** Stand where each 402 has something of its own, of the same length. */
const marks = {
  nonce: 'number-of-one-message-of-one-wallet-',
  issuedAt: 'time-at-which-it-is-made',
  expirationTime: 'time-after-which-it-ends',
} as const

export const signInMarks: readonly string[] = Object.values(marks)

/** The extension `sign-in-with-x` of x402 v2 (CAIP-122), with marks for what changes. */
export const toSignInExtension = (resourceUrl: string): object => ({
  info: {
    domain: new URL(resourceUrl).host,
    uri: resourceUrl,
    version: '1',
    ...marks,
    statement: signInStatement,
    resources: [resourceUrl],
  },
  supportedChains: [{ chainId: network, type: 'eip191' }],
  schema: { type: 'object' },
})

/** What stands in the places of the marks this time. */
export function fillSignIn({ nonces, now }: SignInOffer): Readonly<Record<string, string>> {
  const issuedAt = new Date(now())
  return {
    [marks.nonce]: nonces.draw(),
    [marks.issuedAt]: issuedAt.toISOString(),
    [marks.expirationTime]: expiryOf(issuedAt).toISOString(),
  }
}
