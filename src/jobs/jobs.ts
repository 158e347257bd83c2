import type { Log } from '../core/log.ts'
import { makeOwner } from '../storage/lease-owner.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import type { Work } from './carry-out.ts'
import { toCronHealth } from './cron-health.ts'
import type { CronHealth } from './cron-health-schema.ts'
import { makeJobHistory } from './job-history.ts'
import { type JobOverview, toJobOverviews } from './job-overview.ts'
import { type JobName, jobTable } from './job-table.ts'
import { type JobOutcome, runJob } from './run-job.ts'
import { makeScheduler } from './scheduler.ts'

interface Options {
  readonly db: LedgerDatabase
  readonly works: Readonly<Record<JobName, Work<unknown>>>
  readonly log: Log
  /** Stops all runs. */
  readonly signal: AbortSignal
  readonly now?: () => number
  /** Called for a scheduled run that failed. */
  readonly onFailure?: (job: string, error: string) => Promise<void>
}

/** How long (ms) a stopping program waits for a job that does not react to its signal. */
const closeMs = 5000

/** The scheduled jobs: runs them when they are due or on request, and reports their state. Begins with `start`. */
export function openJobs({ db, works, log, signal, now = Date.now, onFailure }: Options) {
  const jobs = jobTable.map((job) => ({ ...job, work: works[job.name] }))
  const scheduler = makeScheduler({ db, jobs, owner: makeOwner(), now, log, signal, ...(onFailure && { onFailure }) })
  const history = makeJobHistory(db)
  const asked = new Set<Promise<unknown>>()
  let loop: Promise<void> | undefined

  return {
    /** Names of the jobs, in a fixed order. */
    names: jobs.map(({ name }): string => name),

    /**
     * Runs a job now and resolves with how the run ended.
     *
     * @throws Error when there is no job of this name
     */
    async run(name: string): Promise<JobOutcome<unknown>> {
      const job = jobs.find((candidate) => candidate.name === name)
      if (!job) throw new Error(`there is no job named ${name}`)
      const run = runJob({ db, name, dueAt: now(), work: job.work, signal, now })
      asked.add(run)
      return run.finally(() => asked.delete(run))
    },

    /** The state of each job, for people. */
    overview: async (): Promise<JobOverview[]> =>
      toJobOverviews({ ended: await history.findEnded(), running: await history.findRunning(), now: now() }),

    /** The latest run of each job that has ended. */
    ended: history.findEnded,

    health: async (): Promise<CronHealth> => toCronHealth(await history.findEnded(), now()),

    /** Starts the schedule. */
    start(): void {
      loop ??= scheduler.start()
    },

    /** Runs these jobs again soon, because there is something new for them. Only for jobs with `isForStart`. */
    again: (names: readonly JobName[]): void => scheduler.again(names),

    /** To be called after the signal: resolves when nothing runs any more, or after `closeMs`. */
    async close(): Promise<void> {
      const ended = Promise.all([loop, scheduler.idle(), Promise.allSettled(asked)])
      let timer: NodeJS.Timeout | undefined
      await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, closeMs)))])
      clearTimeout(timer)
    },
  }
}

export type Jobs = ReturnType<typeof openJobs>
