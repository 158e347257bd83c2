import crawlersFile from '../../content/crawlers.json' with { type: 'json' }
import { crawlersSchema } from '../content/crawlers-schema.ts'
import { checkCrawlers } from '../crawlers/check-crawlers.ts'
import type { GuardedFetch } from '../fetching/fetched.ts'
import type { Work } from '../jobs/carry-out.ts'

/**
 * The work of the job `crawler-check`, for the crawlers that this program knows.
 *
 * @param asksOutside false in a sandbox, which contacts nobody unless a person runs the job
 */
export function makeCrawlerWork(
  guardedFetch: GuardedFetch,
  { asksOutside }: { readonly asksOutside: boolean },
): Work<unknown> {
  if (!asksOutside) return async () => ({ askedNobody: true })
  const { crawlers } = crawlersSchema.parse(crawlersFile)
  return (signal) => checkCrawlers({ crawlers, guardedFetch, now: () => new Date() }, signal)
}
