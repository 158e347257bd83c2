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
  /** Ends what runs. */
  readonly signal: AbortSignal
  readonly now?: () => number
  /** Told of a run that was due and failed. */
  readonly onFailure?: (job: string, error: string) => Promise<void>
}

/** How long a stopping program waits for a job that does not hear its signal. */
const closeMs = 5000

/** What the press does by itself, for those who ask about it or want it done now. Nothing runs before `start`. */
export function openJobs({ db, works, log, signal, now = Date.now, onFailure }: Options) {
  const jobs = jobTable.map((job) => ({ ...job, work: works[job.name] }))
  const scheduler = makeScheduler({ db, jobs, owner: makeOwner(), now, log, signal, ...(onFailure && { onFailure }) })
  const history = makeJobHistory(db)
  const asked = new Set<Promise<unknown>>()
  let loop: Promise<void> | undefined

  return {
    /** In a fixed order. */
    names: jobs.map(({ name }): string => name),

    /** Runs one now; resolves with what became of it. */
    async run(name: string): Promise<JobOutcome<unknown>> {
      const job = jobs.find((candidate) => candidate.name === name)
      if (!job) throw new Error(`there is no job named ${name}`)
      const run = runJob({ db, name, dueAt: now(), work: job.work, signal, now })
      asked.add(run)
      return run.finally(() => asked.delete(run))
    },

    /** How each job does, for people. */
    overview: async (): Promise<JobOverview[]> =>
      toJobOverviews({ ended: await history.findEnded(), running: await history.findRunning(), now: now() }),

    /** The latest run of each job that came to an end. */
    ended: history.findEnded,

    health: async (): Promise<CronHealth> => toCronHealth(await history.findEnded(), now()),

    /** From now on every job runs when it is due. */
    start(): void {
      loop ??= scheduler.start()
    },

    /** There is something new for these, of the jobs that run at the start: they run again soon. */
    again: (names: readonly JobName[]): void => scheduler.again(names),

    /** After the signal: when nothing runs any more. */
    async close(): Promise<void> {
      const ended = Promise.all([loop, scheduler.idle(), Promise.allSettled(asked)])
      let timer: NodeJS.Timeout | undefined
      await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, closeMs)))])
      clearTimeout(timer)
    },
  }
}

export type Jobs = ReturnType<typeof openJobs>
