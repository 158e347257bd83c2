import type { BackupTier } from './backup-tiers.ts'

/** A backup to be made. */
export interface BackupTask {
  /** Where backups are kept. */
  readonly folder: string
  readonly dataDir: string
  readonly prefix: string
  readonly tier: BackupTier
  readonly at: number
  /** An empty folder for copies. */
  readonly scratch: string
}

/** A folder of backups whose old ones are to go. */
export interface PruneTask {
  readonly folder: string
  readonly now: number
}

/** What became of a backup that was made, verified and kept. */
export interface BackupReport {
  readonly prefix: string
  /** How many tables of both databases are in it. */
  readonly tables: number
  /** Size of all its files as they are kept; products that other backups share are counted in each. */
  readonly totalBytes: number
  /** By `database.table`, as in `ledger.sale`. */
  readonly rows: Readonly<Record<string, number>>
  /** Products that the ledger names and that were gone or damaged before. */
  readonly missing: readonly string[]
}
