import type { StorageKeys, StorageSettings } from '../config/storage-settings.ts'
import type { BackupTier } from './backup-tiers.ts'

/** A storage as another process is told of it. */
export interface PassedStorage extends Omit<StorageSettings, 'keys'> {
  readonly keys: StorageKeys
  /** The ledger that it belongs to. */
  readonly owner: string
  /** Whether backups are kept there, and not only the products that go into them. */
  readonly keepsBackups: boolean
}

/** Where backups are. */
interface BackupPlace {
  /** In which they are prepared, and kept where no storage keeps them. */
  readonly folder: string
  readonly storage: PassedStorage | undefined
}

/** A backup to be made. */
export interface BackupTask extends BackupPlace {
  readonly dataDir: string
  /** Of the database that the books are in; undefined where they are files. */
  readonly databaseUrl: string | undefined
  readonly prefix: string
  readonly tier: BackupTier
  readonly at: number
  /** An empty folder for copies. */
  readonly scratch: string
}

/** Backups whose old ones are to go. */
export interface PruneTask extends BackupPlace {
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
