import type { Work } from '../../jobs/carry-out.ts'
import type { LedgerDatabase } from '../../storage/open-ledger-database.ts'
import { pingHub } from './ping-hub.ts'

/** The feeds of the build that is served. */
export interface ServedFeeds {
  /** When the build was made, to tell which of two builds is the later one. */
  readonly builtAt: number
  /** For each feed, by path, a tag that changes with its bytes. */
  readonly tags: ReadonlyMap<string, string>
}

/** The result of a run. */
export interface HubsTold {
  /** How many notifications succeeded; each is one feed at one hub. */
  readonly pinged: number
  /** Why other notifications failed; they are repeated later. */
  readonly unheard: readonly string[]
}

interface Options {
  readonly db: LedgerDatabase
  readonly hubs: readonly string[]
  /** The address of the site, without a trailing slash. */
  readonly baseUrl: string
  readonly now: () => number
  readonly ping?: typeof pingHub
}

const minute = 60_000
const firstWaitMs = 5 * minute
const longestWaitMs = 6 * 60 * minute

/**
 * The work of the job `websub`: notifies each hub of each feed that has changed since the hub was last notified. The
 * ledger records notifications, so that other processes and later starts do not repeat them; only a process that ends
 * between a notification and its record causes a repetition. Retries use exponential backoff.
 */
export function makeHubWork({ db, hubs, baseUrl, now, ping = pingHub }: Options) {
  let served: ServedFeeds | undefined

  const find = (hub: string, feed: string) =>
    db.selectFrom('hub_notice').selectAll().where('hub', '=', hub).where('feed', '=', feed).executeTakeFirst()

  async function keep(hub: string, feed: string, set: Omit<Awaited<ReturnType<typeof find>> & {}, 'hub' | 'feed'>) {
    await db
      .insertInto('hub_notice')
      .values({ hub, feed, ...set })
      .onConflict((conflict) => conflict.columns(['hub', 'feed']).doUpdateSet(set))
      .execute()
  }

  /** @returns why the notification failed; undefined where it succeeded; `nothing` where none is due */
  async function tell(hub: string, feed: string, tag: string, builtAt: number, signal: AbortSignal) {
    const before = await find(hub, feed)
    // Another process may already serve a later build and have notified the hub of it.
    const isTold = before?.tag === tag || (before?.built_at ?? 0) > builtAt
    if (isTold || (before?.next_at ?? 0) > now()) return 'nothing'
    const reason = await ping(hub, baseUrl + feed, { signal })
    signal.throwIfAborted()
    if (reason === undefined) {
      await keep(hub, feed, { tag, built_at: builtAt, failures: 0, next_at: 0 })
      return undefined
    }
    const failures = (before?.failures ?? 0) + 1
    const next_at = now() + Math.min(firstWaitMs * 2 ** (failures - 1), longestWaitMs)
    await keep(hub, feed, { tag: before?.tag ?? null, built_at: before?.built_at ?? 0, failures, next_at })
    return reason
  }

  const work: Work<HubsTold> = async (signal) => {
    const feeds = served
    const unheard: string[] = []
    let pinged = 0
    for (const hub of hubs)
      for (const [feed, tag] of feeds?.tags ?? []) {
        const outcome = await tell(hub, feed, tag, feeds?.builtAt ?? 0, signal)
        if (outcome === undefined) pinged += 1
        else if (outcome !== 'nothing') unheard.push(`${feed}: ${outcome}`)
      }
    return { pinged, unheard }
  }

  return {
    work,
    /** Sets the feeds that are served from now on. */
    serve(feeds: ServedFeeds): void {
      served = feeds
    },
  }
}
