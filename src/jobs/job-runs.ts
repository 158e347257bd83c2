import { randomUUID } from 'node:crypto'
import { isGone } from '../lease-owner.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { withoutSync } from '../storage/without-sync.ts'

/** A lease lasts this long and is renewed three times in it. */
export const jobLeaseMs = 10_000

/** The right to be the one run of a job, until it runs out or another takes it. */
export interface Run {
  readonly id: string
  /** Counts the runs of a job: of two that both believe in their lease, the higher is right. */
  readonly fence: number
}

/** How a run ended, as its row says. */
export type RunEnd =
  | { readonly state: 'succeeded' | 'skipped'; readonly result: string }
  | { readonly state: 'failed'; readonly error: string }

interface Options {
  readonly db: LedgerDatabase
  /** This process, from `makeOwner`. */
  readonly owner: string
  readonly now: () => number
}

/**
 * The runs of jobs, over all processes that share the ledger:
 *
 *     running ──► succeeded | skipped
 *        └──────► failed          it threw, was stopped, or lost its lease because its process ended
 *
 * A unique index lets one row per job be `running`. It belongs to its owner until the lease runs out or the owner is
 * known to be gone; then whoever comes next ends it and begins a run of its own, under the next fence. A write finds
 * its row only while that is running, so that a run which was taken over changes nothing.
 */
export function makeJobRuns({ db, owner, now }: Options) {
  const mine = ({ id }: Run) => db.updateTable('job_run').where('id', '=', id).where('state', '=', 'running')

  return {
    /** Begins a run; the owner of the run that is under way when there is one. */
    begin: (job: string, dueAt: number): Promise<Run | { readonly heldBy: string }> =>
      db.transaction().execute(async (tx) => {
        const at = now()
        const held = await tx
          .selectFrom('job_run')
          .selectAll()
          .where('job', '=', job)
          .where('state', '=', 'running')
          .executeTakeFirst()
        if (held) {
          if (held.lease_until > at && !isGone(held.owner)) return { heldBy: held.owner }
          const ended = await tx
            .updateTable('job_run')
            .set({ state: 'failed', error: 'its process ended', finished_at: at })
            .where('id', '=', held.id)
            .where('lease_until', '=', held.lease_until)
            .where('state', '=', 'running')
            .executeTakeFirst()
          if (ended.numUpdatedRows !== 1n) return { heldBy: held.owner }
        }
        const last = await tx
          .selectFrom('job_run')
          .select(({ fn }) => fn.max('fence').as('fence'))
          .where('job', '=', job)
          .executeTakeFirst()
        const run: Run = { id: randomUUID(), fence: (last?.fence ?? 0) + 1 }
        const row = { ...run, job, due_at: dueAt, state: 'running' as const, owner, lease_until: at + jobLeaseMs }
        const begun = await tx
          .insertInto('job_run')
          .values({ ...row, started_at: at })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
        return begun.numInsertedOrUpdatedRows === 1n ? run : { heldBy: 'another process' }
      }),

    /** False when the run is not ours any more. */
    async renew(run: Run): Promise<boolean> {
      const set = { lease_until: now() + jobLeaseMs }
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
