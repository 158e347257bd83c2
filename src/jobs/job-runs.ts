import { randomUUID } from 'node:crypto'
import type { Selectable, Transaction } from 'kysely'
import { leaseClock } from '../storage/lease-clock.ts'
import { isGone } from '../storage/lease-owner.ts'
import type { JobRunTable, LedgerSchema, RunOrigin } from '../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { alone, transact } from '../storage/transact.ts'
import { withoutSync } from '../storage/without-sync.ts'
import { cutOff } from './cut-off.ts'

/** How long a lease lasts. It is renewed about three times within this time. */
export const jobLeaseMs = 10_000

export type JobRunRow = Selectable<JobRunTable>

/** The lease of the one run of a job, until it expires or another process takes it over. */
export interface Run {
  readonly id: string
  /** Number of the run within its job. Of two runs that both believe to hold the lease, the higher one does. */
  readonly fence: number
}

/** Another run of the job is under way. */
interface Held {
  readonly heldBy: string
}

/** How a run ended, as stored in its row. */
export type RunEnd =
  | { readonly state: 'succeeded'; readonly result: string }
  | { readonly state: 'failed'; readonly error: string }

interface Options {
  readonly db: LedgerDatabase
  /** This process, from `makeOwner`. */
  readonly owner: string
  readonly now: () => number
}

interface Beginning {
  readonly job: string
  readonly dueAt: number
  readonly origin?: RunOrigin
  /** A run that lasts longer (ms) is taken over, also while its owner renews the lease. */
  readonly mostMs?: number
}

/**
 * The runs of jobs, over all processes that share the ledger:
 *
 *     running ──► succeeded
 *        └──────► failed          it threw, was stopped, lasted too long, or its process ended
 *     skipped                     its time came while another run was under way
 *
 * One unique index allows one `running` row per job, another one row per due time of the schedule. A run belongs to its
 * owner until the lease expires, the owner is known to be gone, or the run lasts longer than it may. Then the next
 * process that looks ends it and begins its own run, with the next fence. Writes match the row only while it is
 * `running`, so that a run that was taken over changes nothing.
 */
export function makeJobRuns({ db, owner, now }: Options) {
  const leaseNow = leaseClock(db, now)
  const mine = ({ id }: Run) => db.updateTable('job_run').where('id', '=', id).where('state', '=', 'running')

  /** Runs `work` in a transaction, one at a time per job: it decides which run is the job's next. */
  const ofJob = <Result>({ job }: Beginning, work: (tx: Transaction<LedgerSchema>) => Promise<Result>) =>
    transact(db, async (tx) => {
      await alone(tx, 'job', job)
      return work(tx)
    })

  const newest = (from: LedgerDatabase, job: string) =>
    from
      .selectFrom('job_run')
      .selectAll()
      .where('job', '=', job)
      .where('state', '!=', 'skipped')
      .orderBy('fence', 'desc')

  const nextFence = async (tx: Transaction<LedgerSchema>, job: string): Promise<number> => {
    const last = await tx
      .selectFrom('job_run')
      .select(({ fn }) => fn.max('fence').as('fence'))
      .where('job', '=', job)
      .executeTakeFirst()
    return (last?.fence ?? 0) + 1
  }

  const beginIn = async (tx: Transaction<LedgerSchema>, beginning: Beginning): Promise<Run | Held> => {
    const { job, dueAt, origin = 'hand', mostMs = Number.POSITIVE_INFINITY } = beginning
    const at = now()
    const held = await tx
      .selectFrom('job_run')
      .selectAll()
      .where('job', '=', job)
      .where('state', '=', 'running')
      .executeTakeFirst()
    if (held) {
      const isTooLong = held.started_at + mostMs < at
      if (held.lease_until > leaseNow() && !isTooLong && !isGone(held.owner)) return { heldBy: held.owner }
      const ended = await tx
        .updateTable('job_run')
        .set({ state: 'failed', error: isTooLong ? cutOff.tooLong : cutOff.gone, finished_at: at })
        .where('id', '=', held.id)
        .where('lease_until', '=', held.lease_until)
        .where('state', '=', 'running')
        .executeTakeFirst()
      if (ended.numUpdatedRows !== 1n) return { heldBy: held.owner }
    }
    const run: Run = { id: randomUUID(), fence: await nextFence(tx, job) }
    const row = {
      ...run,
      job,
      due_at: dueAt,
      origin,
      state: 'running' as const,
      owner,
      lease_until: leaseNow() + jobLeaseMs,
    }
    const begun = await tx
      .insertInto('job_run')
      .values({ ...row, started_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return begun.numInsertedOrUpdatedRows === 1n ? run : { heldBy: 'another process' }
  }

  const skipIn = async (tx: Transaction<LedgerSchema>, { job, dueAt }: Beginning): Promise<void> => {
    const at = now()
    const row = { id: randomUUID(), job, due_at: dueAt, origin: 'schedule', state: 'skipped', owner } as const
    await tx
      .insertInto('job_run')
      .values({ ...row, fence: await nextFence(tx, job), lease_until: at, started_at: at, finished_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  return {
    /** Begins a run. If another run is under way, returns its owner. */
    begin: (beginning: Beginning): Promise<Run | Held> => ofJob(beginning, (tx) => beginIn(tx, beginning)),

    /**
     * Begins the run of a due time. After that the due time is done for every process, also when an earlier run is
     * still under way: then the due time is recorded as skipped.
     */
    beginDue: (beginning: Beginning): Promise<Run | Held | 'done'> =>
      ofJob(beginning, async (tx) => {
        const known = await tx
          .selectFrom('job_run')
          .select('id')
          .where('job', '=', beginning.job)
          .where('due_at', '=', beginning.dueAt)
          .where('origin', '=', 'schedule')
          .executeTakeFirst()
        if (known) return 'done'
        const run = await beginIn(tx, { ...beginning, origin: 'schedule' })
        if ('heldBy' in run) await skipIn(tx, beginning)
        return run
      }),

    /** Begins another run after the last one (`seen`) failed or was cut off, unless its row has changed since. */
    beginAgain: (beginning: Beginning, seen: JobRunRow | undefined): Promise<Run | undefined> =>
      ofJob(beginning, async (tx) => {
        const last = await newest(tx, beginning.job).limit(1).executeTakeFirst()
        if (last?.id !== seen?.id || last?.state !== seen?.state) return undefined
        const run = await beginIn(tx, { ...beginning, origin: 'again' })
        return 'heldBy' in run ? undefined : run
      }),

    /** The newest runs of a job, the last one first, without skipped ones. */
    findLast: (job: string, count: number): Promise<JobRunRow[]> => newest(db, job).limit(count).execute(),

    /** Returns false when the run was taken over. */
    async renew(run: Run): Promise<boolean> {
      const set = { lease_until: leaseNow() + jobLeaseMs }
      const renewed = await mine(run).set(set).modifyEnd(withoutSync).executeTakeFirst()
      return renewed.numUpdatedRows === 1n
    },

    /** Stores what was done so far. */
    async keepProgress(run: Run, result: string): Promise<void> {
      await mine(run).set({ result }).modifyEnd(withoutSync).executeTakeFirst()
    },

    /** Returns false when the run was taken over. */
    async end(run: Run, end: RunEnd): Promise<boolean> {
      const ended = await mine(run)
        .set({ ...end, finished_at: now() })
        .executeTakeFirst()
      return ended.numUpdatedRows === 1n
    },
  }
}

export type JobRuns = ReturnType<typeof makeJobRuns>
