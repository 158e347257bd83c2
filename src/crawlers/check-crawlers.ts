import type { CrawlersFile } from '../content/crawlers-schema.ts'
import { type Fetched, FetchFailed, type GuardedFetch } from '../fetching/fetched.ts'
import { limitConcurrency } from '../workers/limit-concurrency.ts'
import type { CrawlerFacts } from './crawler-facts.ts'
import { readIpRanges } from './read-ip-ranges.ts'

interface Options {
  readonly crawlers: CrawlersFile['crawlers']
  readonly guardedFetch: GuardedFetch
  readonly now: () => Date
}

const atOnce = 4
const wish = { accept: 'application/json, text/plain;q=0.9, text/html;q=0.8', deadlineMs: 15_000, maxBytes: 2_000_000 }
/** The statuses that prove that a page is gone; with others the server may refuse only our requests. */
const gone: ReadonlySet<number> = new Set([404, 410])

/**
 * Fetches the address ranges that operators of crawlers publish, and checks whether the pages that document crawlers
 * exist. Where a server does not answer, the entry is left out: nothing is kept from earlier checks.
 */
export async function checkCrawlers(
  { crawlers, guardedFetch, now }: Options,
  signal: AbortSignal,
): Promise<CrawlerFacts> {
  const limited = limitConcurrency(atOnce)
  const ask = (url: string): Promise<Fetched | undefined> =>
    limited(async () => {
      signal.throwIfAborted()
      try {
        return await guardedFetch(url, { ...wish, signal })
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof FetchFailed) return undefined
        throw error
      }
    })

  const findRanges = async (url: string, others: readonly string[]) => {
    for (const place of [url, ...others]) {
      const answer = await ask(place)
      // A truncated list lacks some of the crawler's addresses, so it is not used.
      if (answer?.status !== 200 || answer.isCut) continue
      const prefixes = readIpRanges(new TextDecoder().decode(answer.body))
      if (prefixes.length > 0) return [[url, { url: place, fetchedAt: now().toISOString(), prefixes }] as const]
    }
    return []
  }

  const findDocs = async (url: string) => {
    const answer = await ask(url)
    const isThere = answer !== undefined && answer.status >= 200 && answer.status < 300
    if (!answer || (!isThere && !gone.has(answer.status))) return []
    return [[url, { checkedAt: now().toISOString(), isThere }] as const]
  }

  const lists = Map.groupBy(
    crawlers.filter(({ ipRangesUrl }) => ipRangesUrl !== null),
    ({ ipRangesUrl }) => ipRangesUrl ?? '',
  )
  const pages = new Set(crawlers.flatMap(({ docsUrl }) => docsUrl ?? []))
  const [ranges, docs] = await Promise.all([
    Promise.all(
      Array.from(lists, ([url, named]) =>
        findRanges(url, [...new Set(named.flatMap(({ alternateIpRangesUrl }) => alternateIpRangesUrl ?? []))]),
      ),
    ),
    Promise.all(Array.from(pages, findDocs)),
  ])
  return {
    checkedAt: now().toISOString(),
    ranges: Object.fromEntries(ranges.flat()),
    docs: Object.fromEntries(docs.flat()),
  }
}
