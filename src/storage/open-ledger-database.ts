import type { Kysely } from 'kysely'
import { ledgerMigrations } from './ledger-migrations.ts'
import type { LedgerSchema } from './ledger-schema.ts'
import { openDatabase } from './open-database.ts'

export type LedgerDatabase = Kysely<LedgerSchema>

/**
 * Opens `ledger.db` with full durability and brings its tables up to date; safe while other processes use the file.
 *
 * @throws StorageError when the folder cannot be written, the disk is full or the file is not ours
 */
export const openLedgerDatabase = (path: string): Promise<LedgerDatabase> =>
  openDatabase(path, { what: 'ledger', durability: 'full', migrations: ledgerMigrations })
