import { type JobOutcome, runJob } from '../jobs/run-job.ts'
import type { ScannedPost } from '../media/media-scan.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { type MediaScanOptions, mediaScanWork } from './media-scan-work.ts'

interface Options extends MediaScanOptions {
  readonly db: LedgerDatabase
  readonly signal: AbortSignal
}

/** The job `media-scan` because somebody asks for it, in one process at a time. */
export const runMediaScan = ({ db, signal, ...scan }: Options): Promise<JobOutcome<ScannedPost[]>> =>
  runJob({ db, name: 'media-scan', dueAt: Date.now(), signal, work: mediaScanWork(scan) })
