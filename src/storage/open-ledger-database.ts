import { accessSync, constants, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, SqliteAdapter, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { ledgerMigrations } from './ledger-migrations.ts'
import type { LedgerSchema } from './ledger-schema.ts'
import { nodeSqlite } from './node-sqlite.ts'

export type LedgerDatabase = Kysely<LedgerSchema>

/** A reason the ledger cannot be used, in one sentence that names the fix. */
class StorageError extends Error {
  override readonly name = 'StorageError'
}

/**
 * SQLite changes its schema within transactions; Kysely assumes that it does not. With this a migration is made and
 * noted together, so that a process killed in between, or two that open the file at once, leave a whole one.
 */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * Opens `ledger.db` with full durability and brings its tables up to date; safe while other processes use the file.
 *
 * @throws StorageError when the folder cannot be written, the disk is full or the file is not ours
 */
export async function openLedgerDatabase(path: string): Promise<LedgerDatabase> {
  try {
    if (path !== ':memory:') {
      mkdirSync(dirname(path), { recursive: true })
      accessSync(dirname(path), constants.W_OK)
    }
    const dialect = new SqliteDialect({ database: nodeSqlite(path, 'full') })
    dialect.createAdapter = () => new TransactionalSqliteAdapter()
    const db = new Kysely<LedgerSchema>({ dialect })
    const migrator = new Migrator({ db, provider: { getMigrations: async () => ledgerMigrations } })
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
    return db
  } catch (cause) {
    throw new StorageError(`the ledger ${path} cannot be used: ${toSentence(cause)}`, { cause })
  }
}

function toSentence(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause)
  if (/ENOSPC|disk is full|SQLITE_FULL|disk I\/O error/i.test(text)) return 'the disk is full; free some space'
  if (/EACCES|EROFS|EPERM|ENOENT|ENOTDIR|EEXIST|readonly|unable to open/i.test(text))
    return 'the folder cannot be written; make it writable or set DATA_DIR to another one'
  if (/not a database|malformed/i.test(text)) return 'the file is not a ledger; move it aside or set DATA_DIR'
  return text
}
