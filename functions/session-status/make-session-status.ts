import type { GuardedFetch } from '../../src/fetching/fetched.ts'
import { textProduct } from '../../src/payments/product.ts'
import type { Make } from '../../src/payments/sell.ts'
import { Problem } from '../../src/problem.ts'
import { diagnose } from './diagnose.ts'
import { sessionStatusOffer } from './offer.ts'
import { probeSite } from './probe-site.ts'

export interface SessionStatusDeps {
  guardedFetch: GuardedFetch
  /** Where skills are described, by slug. */
  skillUrls: ReadonlyMap<string, string>
  now: () => Date
}

/** Looks at a site and says what to mend. A site that is down is a diagnosis; a name that leads nowhere is none. */
export const makeSessionStatus =
  ({ guardedFetch, skillUrls, now }: SessionStatusDeps): Make =>
  async (input, signal) => {
    const { siteUrl } = sessionStatusOffer.input.parse(input)
    const probedAt = now()
    const probes = await probeSite(new URL(siteUrl).origin, guardedFetch, signal)
    if (probes.every((probe) => probe.is === 'silent' && ['unresolvable', 'refused'].includes(probe.reason)))
      throw new Problem('work-failed', {
        charged: false,
        detail:
          'The site could not be reached: its name does not lead to a public address, or all of it redirects to where we do not go. Nothing was charged',
      })
    const diagnosis = diagnose({ siteUrl, probedAt, probes, skillUrls })
    return textProduct(JSON.stringify(diagnosis, null, 2), 'application/json; charset=utf-8')
  }
