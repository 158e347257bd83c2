// Makes or prunes backups in a process of its own: counting, packing and summing never wait on the event loop, and the
// memory that they take goes back when it ends.
import type { OnProgress } from '../workers/start-worker.ts'
import type { BackupReport, BackupTask, PruneTask } from './backup-tasks.ts'
import { openFolderStore } from './folder-store.ts'
import { pruneBackups } from './prune-backups.ts'
import { type WrittenBackup, writeBackup } from './write-backup.ts'

/** Makes one backup and says what it is at. */
export const make = async ({ folder, ...task }: BackupTask, say: OnProgress): Promise<BackupReport> =>
  toReport(await writeBackup({ ...task, store: openFolderStore(folder), say }))

/** Deletes what need not be kept any more; the prefixes of it. */
export const prune = ({ folder, now }: PruneTask): Promise<string[]> => pruneBackups(openFolderStore(folder), now)

/** A backup in the figures that a job reports. */
function toReport({ prefix, manifest }: WrittenBackup): BackupReport {
  const rows = Object.fromEntries(
    Object.entries(manifest.databases).flatMap(([file, facts]) =>
      Object.entries(facts.rows).map(([table, count]) => [`${file.replace('.db', '')}.${table}`, count]),
    ),
  )
  return {
    prefix,
    tables: Object.keys(rows).length,
    totalBytes: manifest.files.reduce((sum, { stored }) => sum + stored.bytes, 0),
    rows,
    missing: manifest.missing,
  }
}
