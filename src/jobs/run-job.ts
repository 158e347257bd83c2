import { makeOwner } from '../lease-owner.ts'
import { toLogText } from '../log.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { jobLeaseMs, makeJobRuns } from './job-runs.ts'

/** What became of an attempt to run a job. */
export type JobOutcome<Result> =
  | { readonly is: 'ran'; readonly result: Result }
  /** Another run is under way; `owner` says whose. */
  | { readonly is: 'busy'; readonly owner: string }
  | { readonly is: 'failed'; readonly error: unknown }
  /** The caller's signal ended it. */
  | { readonly is: 'stopped' }
  /** Another process has taken the run over, because this one stood still for too long. */
  | { readonly is: 'lost' }

interface Options<Result> {
  readonly db: LedgerDatabase
  readonly name: string
  readonly dueAt: number
  /** Ends when its signal does. `progress` puts what was done so far into the row. */
  readonly work: (signal: AbortSignal, progress: (soFar: Result) => Promise<void>) => Promise<Result>
  readonly signal?: AbortSignal
  readonly owner?: string
  readonly now?: () => number
}

const renewEveryMs = 3000

/**
 * Runs a job unless it is running already, in this process or another one, and keeps what it did in `job_run`. A run
 * whose process died is taken over at once on the same host, and elsewhere when its lease has run out.
 *
 * @example await runJob({ db, name: 'daily-backup', dueAt: Date.now(), work: async (signal) => await backUp(signal) })
 */
export async function runJob<Result>({
  db,
  name,
  dueAt,
  work,
  signal: outer,
  owner = makeOwner(),
  now = Date.now,
}: Options<Result>): Promise<JobOutcome<Result>> {
  const runs = makeJobRuns({ db, owner, now })
  const run = await runs.begin(name, dueAt)
  if ('heldBy' in run) return { is: 'busy', owner: run.heldBy }

  const lost = new AbortController()
  let leaseUntil = now() + jobLeaseMs
  const lose = () => lost.abort(new Error(`another process runs ${name}`))
  const renew = async () => {
    const asked = now()
    try {
      if (await runs.renew(run)) leaseUntil = asked + jobLeaseMs
      else lose()
    } catch {
      // A ledger that cannot be written for a moment is asked again, as long as the lease lasts.
      if (now() >= leaseUntil) lose()
    }
  }
  const timer = setInterval(() => void renew(), renewEveryMs).unref()
  const signal = AbortSignal.any([lost.signal, ...(outer ? [outer] : [])])
  try {
    const result = await work(signal, (soFar) => runs.keepProgress(run, JSON.stringify(soFar)))
    const isEnded = await runs.end(run, { state: 'succeeded', result: JSON.stringify(result) })
    return isEnded ? { is: 'ran', result } : { is: 'lost' }
  } catch (error) {
    if (lost.signal.aborted) return { is: 'lost' }
    const isStopped = outer?.aborted ?? false
    await runs.end(run, { state: 'failed', error: isStopped ? 'it was stopped' : toLogText(error) })
    return isStopped ? { is: 'stopped' } : { is: 'failed', error }
  } finally {
    clearInterval(timer)
  }
}
