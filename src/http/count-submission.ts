import { Problem } from '../core/problem.ts'
import type { RateLimits } from './rate-limits.ts'

/** The cost of one submitted form, in reads, because it makes the server write, fetch or send something. */
const cost = 100

/**
 * Makes a function that counts a submission against the rate limit of an address.
 *
 * @throws Problem `rate-limited` when the address has sent too much
 */
export const makeCountSubmission =
  (limits: Pick<RateLimits, 'take'>) =>
  (address: string): void => {
    const waitMs = limits.take(address, 'free', cost)?.waitMs ?? 0
    if (waitMs === 0) return
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
    throw new Problem('rate-limited', {
      detail: `Your address sent too much; send this again in ${retryAfterSeconds} seconds`,
      retryAfterSeconds,
    })
  }
