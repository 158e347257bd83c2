import type { JobName } from '../jobs/job-table.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { type CrawlerFacts, crawlerFactsSchema } from './crawler-facts.ts'

const job = 'crawler-check' satisfies JobName
/**
 * How many runs are searched: in a sandbox the daily run fetches nothing, but an earlier manual run may have results.
 */
const lookedAt = 3

/** The results of the newest check of crawlers, made by any process; undefined when there are none. */
export async function findCrawlerFacts(db: LedgerDatabase): Promise<CrawlerFacts | undefined> {
  const runs = await db
    .selectFrom('job_run')
    .select('result')
    .where('job', '=', job)
    .where('state', '=', 'succeeded')
    .orderBy('fence', 'desc')
    .limit(lookedAt)
    .execute()
  return runs.map(({ result }) => crawlerFactsSchema.safeParse(JSON.parse(result ?? 'null')).data).find(Boolean)
}
