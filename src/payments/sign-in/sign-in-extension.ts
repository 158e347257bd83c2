import { network } from '../../core/chain-constants.ts'
import { expiryOf, signInStatement } from './sign-in-message.ts'
import type { SignInNonces } from './sign-in-nonces.ts'

/** What a 402 needs in order to let owners sign in instead of paying. */
export interface SignInOffer {
  readonly nonces: SignInNonces
  readonly times: SignInTimes
}

/** When a message is issued and when it expires, in RFC 3339. */
export type SignInTimes = () => { readonly issuedAt: string; readonly expirationTime: string }

/** Makes the times of messages that are issued now. Those of one millisecond are written once. */
export function makeSignInTimes(now: () => number): SignInTimes {
  let known = { at: Number.NaN, issuedAt: '', expirationTime: '' }
  return () => {
    const at = now()
    if (at !== known.at) {
      const issuedAt = new Date(at)
      known = { at, issuedAt: issuedAt.toISOString(), expirationTime: expiryOf(issuedAt).toISOString() }
    }
    return known
  }
}

/** Placeholders for the values that are new in each 402. Each is as long as the value that replaces it. */
const marks = {
  nonce: 'number-of-one-message-of-one-wallet-',
  issuedAt: 'time-at-which-it-is-made',
  expirationTime: 'time-after-which-it-ends',
} as const

/** The placeholders of the extension. */
export const signInMarks: readonly string[] = Object.values(marks)

/** The extension `sign-in-with-x` of x402 v2 (CAIP-122), with placeholders for the values that change. */
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

/**
 * Fresh values, in the order of `signInMarks`: a new nonce, the current time, and the time at which the message
 * expires.
 */
export function fillSignIn({ nonces, times }: SignInOffer): readonly string[] {
  const { issuedAt, expirationTime } = times()
  return [nonces.draw(), issuedAt, expirationTime]
}
