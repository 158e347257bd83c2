import { type Log, toLogText } from '../core/log.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { carryOut, type Work } from './carry-out.ts'
import { isCutOff } from './cut-off.ts'
import { makeDueTimes } from './due-times.ts'
import { type JobRunRow, makeJobRuns, type Run } from './job-runs.ts'
import type { ScheduledJob } from './job-table.ts'

/** Polling interval of the clock, so that a clock that is set, or a machine that slept, is noticed soon. */
const lookEveryMs = 5000
/** A failed run is tried again after this time, unless its next due time comes first. */
const retryMs = 60 * 60 * 1000
/** A job whose last runs were all cut off may be what crashes the process: it then waits like one that failed. */
const mostCutOffs = 4

/** A job with its work. */
export interface WorkingJob extends ScheduledJob {
  readonly work: Work<unknown>
}

interface Options {
  readonly db: LedgerDatabase
  readonly jobs: readonly WorkingJob[]
  /** This process, from `makeOwner`. */
  readonly owner: string
  readonly now: () => number
  readonly log: Log
  /** Called for a run that failed. */
  readonly onFailure?: (job: string, error: string) => Promise<void>
  /** Stops all runs, and no more are begun. */
  readonly signal: AbortSignal
}

/**
 * Runs jobs when they are due. Runs are recorded in the ledger and not in memory, so that a due time is run once over
 * all processes, even when clocks jump. Of the due times that were missed while no program ran, only the latest is
 * caught up; on a new installation all are missed, so every job runs once.
 */
export function makeScheduler({ db, jobs, owner, now, log, signal, onFailure = async () => {} }: Options) {
  const runs = makeJobRuns({ db, owner, now })
  const timed = jobs.map((job) => ({ ...job, due: makeDueTimes(job.cron), mostMs: 2 * job.windowMs }))
  type TimedJob = (typeof timed)[number]
  const running = new Map<string, Promise<void>>()
  /** The latest due time of each job that is known to be done. */
  const done = new Map<string, number>()
  const started = new Set<string>()
  let wake = (): void => {}

  const isLaneTaken = ({ name, lane }: TimedJob): boolean =>
    lane !== undefined && timed.some((other) => other.lane === lane && other.name !== name && running.has(other.name))

  const fail = async (job: string, error: string): Promise<void> => {
    log('job.failed', { job, error })
    await onFailure(job, error).catch((cause: unknown) => log('server.error', { error: toLogText(cause) }))
  }

  const follow = (job: TimedJob, run: Run): void => {
    started.add(job.name)
    const { name, work } = job
    const settled = carryOut({ runs, run, name, work, signal, now })
      .then(async (outcome) => {
        if (outcome.is === 'failed') await fail(name, toLogText(outcome.error))
        if (outcome.is === 'lost') await fail(name, 'another run took it over')
      })
      .catch((error: unknown) => fail(name, toLogText(error)))
      .finally(() => {
        if (running.get(name) === settled) running.delete(name)
        // Another job of the lane may be waiting for this one to end.
        if (job.lane !== undefined) wake()
      })
    running.set(name, settled)
  }

  const look = async (job: TimedJob): Promise<void> => {
    if (isLaneTaken(job)) return
    const dueAt = job.due.latest(now())
    if (dueAt !== undefined && done.get(job.name) !== dueAt) {
      const run = await runs.beginDue({ job: job.name, dueAt, mostMs: job.mostMs })
      done.set(job.name, dueAt)
      if (run !== 'done') {
        if ('heldBy' in run) log('job.skipped', { job: job.name, dueAt: new Date(dueAt).toISOString() })
        else follow(job, run)
        return
      }
    }
    const rows = await runs.findLast(job.name, mostCutOffs)
    if (!mayRunAgain(job, rows)) return
    const run = await runs.beginAgain({ job: job.name, dueAt: now(), mostMs: job.mostMs }, rows[0])
    if (run) follow(job, run)
  }

  function mayRunAgain(job: TimedJob, rows: readonly JobRunRow[]): boolean {
    const [last] = rows
    const at = now()
    if (running.has(job.name)) return last?.state === 'running' && last.started_at + job.mostMs < at
    if (job.isForStart === true && !started.has(job.name)) return true
    if (last === undefined || last.state === 'succeeded' || last.origin === 'hand') return false
    // A running row counts as cut off here: `beginAgain` finds out whether its owner is alive.
    const isOver = rows.map(({ state, error }) => state === 'running' || isCutOff(error))
    const isLoop = isOver.length === mostCutOffs && !isOver.includes(false)
    // Also when a clock that was ahead dated the run, but not when it is only a little ahead: two processes whose
    // clocks differ would otherwise keep beginning each other's runs again.
    const isLongAgo = rows.every((row) => Math.abs(at - (row.finished_at ?? row.started_at)) >= retryMs)
    return (isOver[0] === true && !isLoop) || isLongAgo
  }

  return {
    /**
     * Begins all jobs that are due, and returns without waiting for their end.
     *
     * @throws Error when a job could not be checked; the others were checked all the same
     */
    async look(): Promise<void> {
      const failures = new Set<string>()
      for (const job of timed) {
        if (signal.aborted) return
        await look(job).catch((error: unknown) => failures.add(toLogText(error)))
      }
      if (failures.size > 0) throw new Error([...failures].join('; '))
    },

    /** Begins due jobs at each poll of the clock, until the signal aborts. Never rejects. */
    async start(): Promise<void> {
      signal.addEventListener('abort', () => wake(), { once: true })
      while (!signal.aborted) {
        await this.look().catch((error: unknown) => log('server.error', { error: toLogText(error) }))
        if (signal.aborted) return
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, lookEveryMs).unref()
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
    },

    /** Runs these jobs again soon, after a current run of theirs. Only for jobs with `isForStart`. */
    again(names: readonly string[]): void {
      for (const name of names) started.delete(name)
      wake()
    },

    /** Resolves when nothing runs any more. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running.values())
    },
  }
}
