import { Problem } from '../../src/core/problem.ts'
import { defineMake } from '../../src/offers/make.ts'
import { textProduct } from '../../src/offers/product.ts'
import type { MakeContext } from '../make-context.ts'
import sessionStatusOffer from './offer.ts'
import { probeSite } from './probe/probe-site.ts'
import { diagnose } from './report/diagnose.ts'

/**
 * Probes a site and says what to mend. A site that is down gets a diagnosis; one whose name does not resolve to a
 * public address gets a problem and is not charged.
 */
export default defineMake(
  sessionStatusOffer,
  ({ guardedFetch, skillUrls, now }: Pick<MakeContext, 'guardedFetch' | 'skillUrls' | 'now'>) =>
    async ({ siteUrl }, signal) => {
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
    },
)
