import type { Work } from '../jobs/carry-out.ts'
import { forgetRuns } from '../jobs/forget-runs.ts'
import { openJobs } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import type { Forgotten } from '../payments/forget.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

interface Options {
  readonly db: LedgerDatabase
  readonly payments: { reconcile(): Promise<number>; forget(): Promise<Forgotten> }
  readonly scan: Work<unknown>
  readonly log: Log
  readonly signal: AbortSignal
}

/** The jobs of this press with what each does. */
export const openPressJobs = ({ db, payments, scan, log, signal }: Options) =>
  openJobs({
    db,
    works: {
      'media-scan': scan,
      async reconcile() {
        const open = await payments.reconcile()
        if (open > 0) log('sale.open', { count: open })
        return { open }
      },
      async retention() {
        const dropped = { ...(await payments.forget()), runs: await forgetRuns(db, Date.now()) }
        log('retention.ran', dropped)
        return dropped
      },
    },
    log,
    signal,
  })
