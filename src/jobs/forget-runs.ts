import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { jobTable } from './job-table.ts'

const dayMs = 24 * 60 * 60 * 1000
const tierDays = 90
/** The other jobs run far more often, and most of their runs do nothing. */
const otherDays = 7

/**
 * Deletes the rows of old runs, but never the last one of a job.
 *
 * @returns how many rows were deleted
 */
export async function forgetRuns(db: LedgerDatabase, now: number): Promise<number> {
  let count = 0
  for (const { name, isTier } of jobTable) {
    const before = now - (isTier ? tierDays : otherDays) * dayMs
    const newest = db
      .selectFrom('job_run')
      .select(({ fn }) => fn.max('fence').as('fence'))
      .where('job', '=', name)
    const gone = await db
      .deleteFrom('job_run')
      .where('job', '=', name)
      .where('finished_at', '<', before)
      .where('due_at', '<', before)
      .where('fence', '<', newest)
      .executeTakeFirst()
    count += Number(gone.numDeletedRows)
  }
  return count
}
