import { Problem } from '../core/problem.ts'
import type { RateLimits } from './rate-limits.ts'

/** A form that makes us write something down, fetch or send counts as so many reads. */
const cost = 100

/**
 * Counts what strangers submit against their address.
 *
 * @throws Problem when it has sent too much already
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
