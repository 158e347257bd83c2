import type { JobName } from '../jobs/job-table.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { type CrawlerFacts, crawlerFactsSchema } from './crawler-facts.ts'

const job = 'crawler-check' satisfies JobName
/** A sandbox runs the job daily and asks nobody; a person may have run it before. */
const lookedAt = 3

/** What the newest check of crawlers found out, whichever program made it; undefined when there was none. */
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
