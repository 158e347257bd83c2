import siteConfig from '../../site.config.ts'
import type { Config } from '../config/config.ts'
import { isLoopback } from '../config/environment.ts'
import { postFeeds } from '../feeds/websub/name-hubs.ts'
import { makeHubWork, type ServedFeeds } from '../feeds/websub/tell-hubs.ts'
import type { GuardedFetch } from '../fetching/fetched.ts'
import { makeCountSubmission } from '../http/count-submission.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import type { Build } from '../storage/build-folder.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import type { Siblings } from '../storage/postgres/open-siblings.ts'
import { openMentions } from './open-mentions.ts'
import { openNewsletter } from './open-newsletter.ts'

interface Options {
  readonly config: Pick<Config, 'mode' | 'baseUrl' | 'email'>
  readonly db: LedgerDatabase
  readonly guardedFetch: GuardedFetch
  readonly siblings?: Siblings | undefined
  readonly limits: Pick<RateLimits, 'take'>
  readonly report: (error: unknown) => void
  /** Aborts sending when the program stops. */
  readonly signal: AbortSignal
}

/**
 * Opens what keeps readers up to date (WebSub hubs, newsletter) and the mentions by other sites. A sandbox notifies
 * only hubs on this machine.
 */
export async function openAudience({ config, limits, signal, ...shared }: Options) {
  const { mode, baseUrl } = config
  const named = siteConfig.hubs.filter((hub) => mode === 'live' || isLoopback(hub))
  const hubs = makeHubWork({ db: shared.db, hubs: named, baseUrl, now: Date.now })
  const count = makeCountSubmission(limits)
  const mentions = await openMentions({ ...shared, baseUrl, count })
  const newsletter = openNewsletter({ ...shared, config, count, signal })
  return {
    works: { websub: hubs.work, webmentions: mentions.work, newsletter: newsletter.work },
    routes: [mentions.route, ...newsletter.routes],
    mentions,
    newsletterForm: newsletter.form,
    /** Call it for each build that is served from now on. */
    serve(build: Build): void {
      hubs.serve(toServedFeeds(build))
      mentions.serve(build)
      newsletter.serve(build)
    },
    /** Call it after the signal and before the ledger is closed. */
    async close(): Promise<void> {
      await newsletter.close()
      await mentions.close()
    },
  }
}

/** The feeds of a build, of which hubs are notified. */
export const toServedFeeds = ({ facts, manifest }: Pick<Build, 'facts' | 'manifest'>): ServedFeeds => ({
  builtAt: Date.parse(facts.createdAt),
  tags: new Map(
    postFeeds.flatMap((feed) => {
      const entry = manifest[feed]
      return entry ? [[feed, entry.etag] as const] : []
    }),
  ),
})
