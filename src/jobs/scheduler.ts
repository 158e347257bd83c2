import { type Log, toLogText } from '../core/log.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { carryOut, type Work } from './carry-out.ts'
import { isCutOff } from './cut-off.ts'
import { makeDueTimes } from './due-times.ts'
import { type JobRunRow, makeJobRuns, type Run } from './job-runs.ts'
import type { ScheduledJob } from './job-table.ts'

/** How often the clock is looked at, so that one that is set, or a machine that slept, is noticed soon. */
const lookEveryMs = 5000
/** A run that failed is tried again after this, when its next due time does not come first. */
const retryMs = 60 * 60 * 1000
/** A run that was cut off this often in a row may be what ends its process: then it waits like one that failed. */
const mostCutOffs = 4

/** A job with what it does. */
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
  /** Told of a run that failed. */
  readonly onFailure?: (job: string, error: string) => Promise<void>
  /** Ends what runs, and begins nothing more. */
  readonly signal: AbortSignal
}

/**
 * Runs jobs when they are due. What has run is in the ledger and not in memory: however many processes look at it, and
 * however their clocks jump, a due time is run once. Of those that were missed while nothing ran, the latest is caught
 * up; a new installation has missed them all, so that every job runs once on it.
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
        // The next of its lane waits for this.
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
    // Whether the owner of one that is running lives is found out by whoever begins the next.
    const isOver = rows.map(({ state, error }) => state === 'running' || isCutOff(error))
    const isLoop = isOver.length === mostCutOffs && !isOver.includes(false)
    // Also when it was noted by a clock that was ahead; of another that still is, each would begin anew what the other has.
    const isLongAgo = rows.every((row) => Math.abs(at - (row.finished_at ?? row.started_at)) >= retryMs)
    return (isOver[0] === true && !isLoop) || isLongAgo
  }

  return {
    /**
     * Begins what is due by the clock, and returns without waiting for its end.
     *
     * @throws Error when a job could not be looked at; the others have been all the same
     */
    async look(): Promise<void> {
      const failures = new Set<string>()
      for (const job of timed) {
        if (signal.aborted) return
        await look(job).catch((error: unknown) => failures.add(toLogText(error)))
      }
      if (failures.size > 0) throw new Error([...failures].join('; '))
    },

    /** Looks at the clock until the signal ends it. Never rejects. */
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

    /** What these jobs look for has come: of those that run at the start, they run again, after what they are at. */
    again(names: readonly string[]): void {
      for (const name of names) started.delete(name)
      wake()
    },

    /** When nothing runs any more. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running.values())
    },
  }
}
