import { makeOwner } from '../storage/lease-owner.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { carryOut, type RunOutcome, type Work } from './carry-out.ts'
import { makeJobRuns } from './job-runs.ts'

/** The outcome of an attempt to run a job. */
export type JobOutcome<Result> =
  | RunOutcome<Result>
  /** Another run is under way; `owner` says whose. */
  | { readonly is: 'busy'; readonly owner: string }

interface Options<Result> {
  readonly db: LedgerDatabase
  readonly name: string
  readonly dueAt: number
  readonly work: Work<Result>
  readonly signal?: AbortSignal | undefined
  readonly owner?: string
  readonly now?: () => number
}

/**
 * Runs a job on request, unless it is already running in this or another process, and records the run in `job_run`. A
 * run whose process died is taken over: at once on the same host, elsewhere when its lease has expired.
 *
 * @example await runJob({ db, name: 'daily-backup', dueAt: Date.now(), work: async (signal) => await backUp(signal) })
 */
export async function runJob<Result>(options: Options<Result>): Promise<JobOutcome<Result>> {
  const { db, name, dueAt, work, signal, owner = makeOwner(), now = Date.now } = options
  const runs = makeJobRuns({ db, owner, now })
  const run = await runs.begin({ job: name, dueAt })
  if ('heldBy' in run) return { is: 'busy', owner: run.heldBy }
  return carryOut({ runs, run, name, work, signal, now })
}
