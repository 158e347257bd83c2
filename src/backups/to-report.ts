import type { BackupReport } from './worker-messages.ts'
import type { WrittenBackup } from './write-backup.ts'

/** A backup in the figures that a job reports. */
export function toReport({ prefix, manifest }: WrittenBackup): BackupReport {
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
