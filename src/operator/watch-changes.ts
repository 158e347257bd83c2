import { setTimeout as delay } from 'node:timers/promises'
import { sha256 } from '../core/sha256.ts'
import { type JobHistory, makeJobHistory } from '../jobs/job-history.ts'
import { allTime } from '../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

const lookEveryMs = 500
/** How long to wait after a failed read of the ledger, in ms. */
const againMs = 5000

/**
 * A digest that changes with sales, open payments, refunds and runs of jobs, which the operator's pages show. It reads
 * only indexes and small tables.
 */
async function readMark(db: LedgerDatabase, history: JobHistory): Promise<string> {
  const [newest, totals, others, open, running, ended, refunds] = await Promise.all([
    db.selectFrom('sale').select('id').orderBy('settled_at', 'desc').limit(1).executeTakeFirst(),
    db
      .selectFrom('sale_total')
      .select(({ fn }) => [fn.sum<number>('count').as('count'), fn.sum<number>('micros').as('micros')])
      .where('day', '=', allTime)
      .executeTakeFirst(),
    db
      .selectFrom('sale_total_other')
      .select(({ fn }) => fn.sum<number>('count').as('count'))
      .where('day', '=', allTime)
      .executeTakeFirst(),
    db
      .selectFrom('payment')
      .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
      .where('state', 'in', ['ready', 'settling'])
      .groupBy('state')
      .execute(),
    history.findRunning(),
    history.findEnded(),
    db.selectFrom('refund').select('sale_id').orderBy('refunded_at', 'desc').limit(1).executeTakeFirst(),
  ])
  const runs = ended.map(({ job, fence }) => [job, fence])
  return sha256(JSON.stringify([newest, totals, others, open, running, runs, refunds])).slice(0, 16)
}

/**
 * Reports changes of the ledger by any process within about a second. It polls only while there are watchers, once for
 * all of them.
 */
export function makeChangeWatch({
  db,
  report,
}: {
  readonly db: LedgerDatabase
  readonly report: (error: unknown) => void
}) {
  const history = makeJobHistory(db)
  const watchers = new Set<() => void>()
  const closing = new AbortController()
  let loop: Promise<void> | undefined

  async function look(): Promise<void> {
    let last: string | undefined
    while (watchers.size > 0) {
      let waitMs = lookEveryMs
      try {
        const mark = await readMark(db, history)
        if (last !== undefined && mark !== last) for (const tell of watchers) tell()
        last = mark
      } catch (error) {
        report(error)
        waitMs = againMs
      }
      await delay(waitMs, undefined, { signal: closing.signal })
    }
  }

  function begin(): void {
    loop ??= look()
      // It rejects only when `close` aborts its pause.
      .catch(() => {})
      .finally(() => {
        loop = undefined
        // A watcher may have been added while the loop ended.
        if (watchers.size > 0 && !closing.signal.aborted) begin()
      })
  }

  return {
    /** Calls `tell` after each change. @returns a function that stops this */
    watch(tell: () => void): () => void {
      watchers.add(tell)
      begin()
      return () => void watchers.delete(tell)
    },
    /** The current digest, which differs after each change. */
    mark: (): Promise<string> => readMark(db, history),
    /** To be called before the ledger is closed. */
    async close(): Promise<void> {
      closing.abort()
      await loop
    },
  }
}

export type ChangeWatch = ReturnType<typeof makeChangeWatch>
