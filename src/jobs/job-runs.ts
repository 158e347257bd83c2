import { randomUUID } from 'node:crypto'
import type { Selectable, Transaction } from 'kysely'
import { leaseClock } from '../storage/lease-clock.ts'
import { isGone } from '../storage/lease-owner.ts'
import type { JobRunTable, LedgerSchema, RunOrigin } from '../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { alone, transact } from '../storage/transact.ts'
import { withoutSync } from '../storage/without-sync.ts'
import { cutOff } from './cut-off.ts'

/** A lease lasts this long and is renewed three times in it. */
export const jobLeaseMs = 10_000

export type JobRunRow = Selectable<JobRunTable>

/** The right to be the one run of a job, until it runs out or another takes it. */
export interface Run {
  readonly id: string
  /** Counts the runs of a job: of two that both believe in their lease, the higher is right. */
  readonly fence: number
}

/** Another run of the job is under way. */
interface Held {
  readonly heldBy: string
}

/** How a run ended, as its row says. */
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
  /** A run that lasts longer is taken over, whatever its owner says. */
  readonly mostMs?: number
}

/**
 * The runs of jobs, over all processes that share the ledger:
 *
 *     running ──► succeeded
 *        └──────► failed          it threw, was stopped, lasted too long, or its process ended
 *     skipped                     its time came while another run was under way
 *
 * A unique index lets one row per job be `running`, another one lets a due time of the schedule have one row. A run
 * belongs to its owner until the lease runs out, the owner is known to be gone or the run is older than it may be;
 * then whoever comes next ends it and begins a run of its own, under the next fence. A write finds its row only while
 * that is running, so that a run which was taken over changes nothing.
 */
export function makeJobRuns({ db, owner, now }: Options) {
  const leaseNow = leaseClock(db, now)
  const mine = ({ id }: Run) => db.updateTable('job_run').where('id', '=', id).where('state', '=', 'running')

  /** Which run is the next of a job is decided by one at a time. */
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
    /** Begins a run; the owner of the run that is under way when there is one. */
    begin: (beginning: Beginning): Promise<Run | Held> => ofJob(beginning, (tx) => beginIn(tx, beginning)),

    /**
     * Begins the run of a due time. With it the time is done for every process, also when the run before is still
     * under way: then it is skipped.
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

    /** Begins a run because of how the last one went, unless that has changed since it was seen. */
    beginAgain: (beginning: Beginning, seen: JobRunRow | undefined): Promise<Run | undefined> =>
      ofJob(beginning, async (tx) => {
        const last = await newest(tx, beginning.job).limit(1).executeTakeFirst()
        if (last?.id !== seen?.id || last?.state !== seen?.state) return undefined
        const run = await beginIn(tx, { ...beginning, origin: 'again' })
        return 'heldBy' in run ? undefined : run
      }),

    /** The newest runs of a job, the last one first; those that were skipped are none. */
    findLast: (job: string, count: number): Promise<JobRunRow[]> => newest(db, job).limit(count).execute(),

    /** False when the run is not ours any more. */
    async renew(run: Run): Promise<boolean> {
      const set = { lease_until: leaseNow() + jobLeaseMs }
      const renewed = await mine(run).set(set).modifyEnd(withoutSync).executeTakeFirst()
      return renewed.numUpdatedRows === 1n
    },

    /** Says what was done so far. */
    async keepProgress(run: Run, result: string): Promise<void> {
      await mine(run).set({ result }).modifyEnd(withoutSync).executeTakeFirst()
    },

    /** False when the run is not ours any more. */
    async end(run: Run, end: RunEnd): Promise<boolean> {
      const ended = await mine(run)
        .set({ ...end, finished_at: now() })
        .executeTakeFirst()
      return ended.numUpdatedRows === 1n
    },
  }
}

export type JobRuns = ReturnType<typeof makeJobRuns>
