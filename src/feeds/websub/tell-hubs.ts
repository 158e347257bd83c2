import type { Work } from '../../jobs/carry-out.ts'
import type { LedgerDatabase } from '../../storage/open-ledger-database.ts'
import { pingHub } from './ping-hub.ts'

/** The feeds of the build that is served. */
export interface ServedFeeds {
  /** Which of two builds is the later one. */
  readonly builtAt: number
  /** What the bytes of each are known by, by its path. */
  readonly tags: ReadonlyMap<string, string>
}

/** What a run came to. */
export interface HubsTold {
  /** How many feeds hubs were told of. */
  readonly pinged: number
  /** Why hubs did not hear of some; they are told later. */
  readonly unheard: readonly string[]
}

interface Options {
  readonly db: LedgerDatabase
  readonly hubs: readonly string[]
  /** Of the site, without a slash at its end. */
  readonly baseUrl: string
  readonly now: () => number
  readonly ping?: typeof pingHub
}

const minute = 60_000
const firstWaitMs = 5 * minute
const longestWaitMs = 6 * 60 * minute

/**
 * The work of the job `websub`: tells each hub of each feed whose bytes are others than it was told of last. What was
 * told is in the ledger, so that of all processes and restarts one tells; only a process that dies between telling and
 * writing it down lets it be told again. A hub that fails is asked ever less often.
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

  /** @returns why the hub did not hear it; undefined where it did, or there is nothing to tell */
  async function tell(hub: string, feed: string, tag: string, builtAt: number, signal: AbortSignal) {
    const before = await find(hub, feed)
    // Another process may serve a later build already.
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
    /** From now on these are the feeds. */
    serve(feeds: ServedFeeds): void {
      served = feeds
    },
  }
}
