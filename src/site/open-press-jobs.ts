import type { BackupTier } from '../backups/backup-tiers.ts'
import type { Backups } from '../backups/make-backup.ts'
import type { Log } from '../core/log.ts'
import type { Work } from '../jobs/carry-out.ts'
import type { JobName } from '../jobs/job-table.ts'
import { type Jobs, openJobs } from '../jobs/jobs.ts'
import type { Forgotten } from '../payments/ledger/forget.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { announce } from '../webhooks/announce.ts'
import { makeRetention } from './clear-out.ts'

type Works = Readonly<Record<JobName, Work<unknown>>>

interface Options {
  readonly db: LedgerDatabase
  readonly payments: { reconcile(): Promise<number>; forget(): Promise<Forgotten> }
  readonly backups: Backups
  /** Removes old files from the storage for large files; absent where there is none. */
  readonly clear?: () => Promise<void>
  readonly scan: Work<unknown>
  readonly publish: Work<unknown>
  readonly checkCrawlers: Work<unknown>
  /** The work of the jobs that keep readers up to date, by job. */
  readonly audience: Pick<Works, 'websub' | 'webmentions' | 'newsletter'>
  readonly log: Log
  readonly signal: AbortSignal
  /** Called with a line of text about the progress of a backup. */
  readonly onProgress?: (line: string) => void
}

/** Opens the jobs of this press, with the work of each. */
export function openPressJobs(options: Options): Jobs {
  const { db, payments, backups, clear, scan, publish, checkCrawlers, audience, log, signal } = options
  const { onProgress = () => {} } = options

  const backUp =
    (tier: BackupTier): Work<unknown> =>
    async (stop) => {
      const report = await backups.make(tier, { signal: stop, onProgress })
      const { prefix, totalBytes, missing } = report
      log('backup.made', { prefix, totalBytes })
      if (missing.length > 0) log('backup.misses', { prefix, products: missing.length })
      return report
    }

  const reconcile: Work<unknown> = async () => {
    const open = await payments.reconcile()
    if (open > 0) log('sale.open', { count: open })
    return { open }
  }

  const works = {
    'hourly-backup': backUp('hourly'),
    'media-scan': scan,
    'daily-backup': backUp('daily'),
    'weekly-backup': backUp('weekly'),
    'monthly-backup': backUp('monthly'),
    reconcile,
    publish,
    ...audience,
    'crawler-check': checkCrawlers,
    retention: makeRetention({ db, payments, backups, clear, log }),
  }
  const onFailure = (job: string, error: string): Promise<void> =>
    announce(db, { type: 'job.failed', at: Date.now(), data: { job, error } })
  return openJobs({ db, works, log, signal, onFailure })
}
