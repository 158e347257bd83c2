import type { Backups } from '../backups/make-backup.ts'
import { type Log, toLogText } from '../core/log.ts'
import type { Work } from '../jobs/carry-out.ts'
import { forgetRuns } from '../jobs/forget-runs.ts'
import type { Forgotten } from '../payments/ledger/forget.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { forgetMessages } from '../webhooks/forget-messages.ts'

interface Options {
  readonly db: LedgerDatabase
  readonly payments: { forget(): Promise<Forgotten> }
  readonly backups: Pick<Backups, 'prune'>
  /** Removes old files from the storage for large files; absent where there is none. */
  readonly clear?: (() => Promise<void>) | undefined
  readonly log: Log
}

/**
 * Makes the work of the job `retention`, which deletes expired records, one kind after another. If one kind fails, the
 * others are still deleted: a storage that is down for weeks must not let messages pile up in the ledger. The run fails
 * at the end if any kind failed.
 */
export const makeRetention =
  ({ db, payments, backups, clear, log }: Options): Work<unknown> =>
  async (stop) => {
    const failures: { kind: string; error: string }[] = []
    const drop = async <Dropped>(kind: string, work: () => Promise<Dropped>): Promise<Dropped | undefined> => {
      stop.throwIfAborted()
      try {
        return await work()
      } catch (error) {
        stop.throwIfAborted()
        failures.push({ kind, error: toLogText(error) })
        return undefined
      }
    }
    const forgotten = await drop('payments and their products', () => payments.forget())
    const runs = await drop('job history', () => forgetRuns(db, Date.now()))
    const pruned = await drop('backups', () => backups.prune({ signal: stop }))
    await drop('what is kept in the storage', async () => clear?.())
    const webhooks = await drop('messages', () => forgetMessages(db, Date.now()))
    const dropped = {
      products: forgotten?.products ?? 0,
      payments: forgotten?.payments ?? 0,
      runs: runs ?? 0,
      backups: pruned?.length ?? 0,
      webhooks: webhooks ?? 0,
    }
    log('retention.ran', dropped)
    if (failures.length === 0) return dropped
    // The kinds come before the errors, because pages show only the beginning of the message.
    const kinds = failures.map(({ kind }) => kind).join(', ')
    throw new Error(`not cleared out: ${kinds}; ${failures.map(({ error }) => error).join('; ')}`)
  }
