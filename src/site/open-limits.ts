import type { Config } from '../config/config.ts'
import { makeRateLimits } from '../http/rate-limits.ts'
import { shareLimits } from '../http/share-limits.ts'
import type { Siblings } from '../storage/postgres/open-siblings.ts'

/** The rate limits of this site, shared by all sites on its database. */
export function openLimits(
  { limitsLoopback }: Pick<Config, 'limitsLoopback'>,
  siblings: Siblings | undefined,
  report: (error: unknown) => void,
) {
  const options = { exemptsLoopback: !limitsLoopback, now: () => performance.now() }
  return siblings
    ? shareLimits({ ...options, uses: siblings.uses, report })
    : { limits: makeRateLimits(options), hear: undefined, close: async () => {} }
}
