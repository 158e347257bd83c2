import type { StorageKeys, StorageSettings } from '../config/storage-settings.ts'
import type { BackupTier } from './backup-tiers.ts'

/** The settings of a storage as they are sent to another process. */
export interface PassedStorage extends Omit<StorageSettings, 'keys'> {
  readonly keys: StorageKeys
  /** The ledger that it belongs to. */
  readonly owner: string
  /** Whether backups are kept there, and not only the products that go into them. */
  readonly keepsBackups: boolean
}

/** Where backups are. */
interface BackupPlace {
  /** Folder in which they are prepared, and in which they are kept unless they are kept in the storage. */
  readonly folder: string
  readonly storage: PassedStorage | undefined
}

/** A backup to be made. */
export interface BackupTask extends BackupPlace {
  readonly dataDir: string
  /** URL of the database that the books are in; undefined where they are files of the data folder. */
  readonly databaseUrl: string | undefined
  readonly prefix: string
  readonly tier: BackupTier
  readonly at: number
  /** An empty folder for copies. */
  readonly scratch: string
}

/** Old backups to be deleted. */
export interface PruneTask extends BackupPlace {
  readonly now: number
}

/** The figures of a backup that was made and verified. */
export interface BackupReport {
  readonly prefix: string
  /** How many tables of both databases are in it. */
  readonly tables: number
  /** Size of all its files as they are kept; products that other backups share are counted in each. */
  readonly totalBytes: number
  /** Number of rows, by `database.table`, as in `ledger.sale`. */
  readonly rows: Readonly<Record<string, number>>
  /** Products that the ledger refers to and that were gone or damaged before this backup. */
  readonly missing: readonly string[]
}
