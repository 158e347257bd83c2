import type { Kysely } from 'kysely'
import { ledgerMigrations } from './ledger-migrations.ts'
import type { LedgerSchema } from './ledger-schema.ts'
import { openDatabase } from './open-database.ts'

export type LedgerDatabase = Kysely<LedgerSchema>

/**
 * Opens `ledger.db`, or the ledger of a PostgreSQL database, with full durability and brings its tables up to date; safe
 * while other processes use it.
 *
 * @throws StorageError when the folder cannot be written, the disk is full or the file is not ours; when the server
 * cannot be used
 */
export const openLedgerDatabase = (path: string, url?: string): Promise<LedgerDatabase> =>
  openDatabase(path, { what: 'ledger', schema: 'ledger', durability: 'full', migrations: ledgerMigrations }, url)
