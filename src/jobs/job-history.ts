import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import type { EndedRun } from './cron-health.ts'
import type { JobRunRow } from './job-runs.ts'
import { jobTable } from './job-table.ts'

/** What is known of the runs that were. */
export function makeJobHistory(db: LedgerDatabase) {
  const findOne = (job: string) =>
    db
      .selectFrom('job_run')
      .selectAll()
      .where('job', '=', job)
      .where('state', 'in', ['succeeded', 'failed'])
      .where('finished_at', 'is not', null)
      .$narrowType<{ finished_at: number }>()
      .orderBy('fence', 'desc')
      .limit(1)
      .executeTakeFirst()

  return {
    /** The latest run of each job that came to an end, in the order of the table. */
    async findEnded(): Promise<EndedRun[]> {
      const found = await Promise.all(jobTable.map(({ name }) => findOne(name)))
      return found.filter((run) => run !== undefined)
    },

    /** The runs that are under way, as far as their rows know. */
    findRunning: (): Promise<Pick<JobRunRow, 'job' | 'started_at'>[]> =>
      db.selectFrom('job_run').select(['job', 'started_at']).where('state', '=', 'running').execute(),
  }
}
