import { createHmac, randomBytes } from 'node:crypto'
import { sha256 } from '../../src/core/sha256.ts'

/** What proves to be a player: `rt_` and 32 random bytes. Only its hash is ever stored. */
export const newResumeToken = (): string => `rt_${randomBytes(32).toString('base64url')}`

/**
 * The token of a name that a payment creates. Whoever knows the secret can make it again, so that it need not be
 * stored to be shown once more to a buyer whose answer was lost.
 */
export const toBoughtToken = (secret: string, paymentKey: string): string =>
  `rt_${createHmac('sha256', secret).update(paymentKey).digest('base64url')}`

/** What is stored of a token. */
export const toTokenHash = (token: string): string => sha256('resume-token', token)
