import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { readWhenChanged } from '../storage/read-when-changed.ts'
import type { EndedRun } from './cron-health.ts'
import { ofNoWork } from './cut-off.ts'
import type { JobRunRow } from './job-runs.ts'
import { jobTable } from './job-table.ts'

/** Queries of past and current runs. */
export function makeJobHistory(db: LedgerDatabase) {
  const ended = ['succeeded', 'failed'] as const
  /** Compiled once, because monitors request it often. */
  const latest = db
    .selectFrom('job_run')
    .selectAll()
    .select(({ fn, selectFrom }) =>
      fn
        .coalesce(
          selectFrom('job_run as before')
            .select('before.finished_at')
            .whereRef('before.job', '=', 'job_run.job')
            .where('before.state', '=', 'succeeded')
            .orderBy('before.fence', 'desc')
            .limit(1),
          selectFrom('job_run as before')
            .select('before.started_at')
            .whereRef('before.job', '=', 'job_run.job')
            .orderBy('before.fence')
            .limit(1),
        )
        .as('good_at'),
    )
    .select(({ selectFrom }) =>
      selectFrom('job_run as before')
        .select('before.error')
        .whereRef('before.job', '=', 'job_run.job')
        .where('before.state', 'in', ended)
        .where(({ eb, or }) => or([eb('before.error', 'is', null), eb('before.error', 'not in', ofNoWork)]))
        .orderBy('before.fence', 'desc')
        .limit(1)
        .as('failed_with'),
    )
    .where('finished_at', 'is not', null)
    .$narrowType<{ finished_at: number }>()
    .where(({ eb, or, selectFrom }) =>
      or(
        jobTable.map(({ name }) =>
          eb(
            'id',
            '=',
            selectFrom('job_run')
              .select('id')
              .where('job', '=', name)
              .where('state', 'in', ended)
              .where('finished_at', 'is not', null)
              .orderBy('fence', 'desc')
              .limit(1),
          ),
        ),
      ),
    )
    .compile()

  return {
    /** The latest run of each job that has ended, in the order of `jobTable`. */
    findEnded: readWhenChanged(db, async (): Promise<readonly EndedRun[]> => {
      const { rows } = await db.executeQuery(latest)
      const found = new Map(rows.map((run) => [run.job, run]))
      return jobTable.map(({ name }) => found.get(name)).filter((run) => run !== undefined)
    }),

    /** The runs whose rows say `running`. Their processes may have died since. */
    findRunning: (): Promise<Pick<JobRunRow, 'job' | 'started_at'>[]> =>
      db.selectFrom('job_run').select(['job', 'started_at']).where('state', '=', 'running').execute(),
  }
}

export type JobHistory = ReturnType<typeof makeJobHistory>
