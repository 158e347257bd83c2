import { createHmac, randomBytes } from 'node:crypto'
import { sha256 } from '../../src/core/sha256.ts'

/** A new token that authenticates a player: `rt_` and 32 random bytes in base64url. Only its hash is stored. */
export const newResumeToken = (): string => `rt_${randomBytes(32).toString('base64url')}`

/**
 * The token of a name that a purchase creates. It is derived from a secret, so that it can be shown again to a buyer
 * whose response was lost, without being stored.
 */
export const toBoughtToken = (secret: string, paymentKey: string): string =>
  `rt_${createHmac('sha256', secret).update(paymentKey).digest('base64url')}`

/** The hash under which a token is stored. */
export const toTokenHash = (token: string): string => sha256('resume-token', token)
