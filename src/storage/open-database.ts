import { accessSync, chmodSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Kysely, SqliteAdapter, SqliteDialect } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { findMark, toMarkSentence } from './books-mark.ts'
import { GroupCommitDatabase } from './group-commit.ts'
import { type Durability, nodeSqlite } from './node-sqlite.ts'
import { toOwnerAdvice } from './private-files.ts'
import { restorePlanFile } from './restore-plan-file.ts'
import { findNewerVersion, StorageError } from './storage-error.ts'
import { hasCode } from './write-atomically.ts'

/**
 * SQLite changes its schema within transactions; Kysely assumes that it does not. With this, a migration and its record
 * are one transaction: a process killed in between, or two that open the file at once, leave no half of it.
 */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

interface Options {
  /** Name of the file in error messages. */
  readonly what: string
  /** Schema of its tables in a PostgreSQL database. */
  readonly schema: string
  readonly durability: Durability
  readonly migrations: Readonly<Record<string, Migration>>
}

/**
 * Opens a SQLite file, or where a `url` is given our schema in that PostgreSQL database, and brings its tables up to
 * date. Safe while other processes use it.
 *
 * @throws StorageError when the folder cannot be written, the disk is full or the file is not ours, or when the server
 * cannot be used
 */
export async function openDatabase<Schema>(path: string, options: Options, url?: string): Promise<Kysely<Schema>> {
  if (url !== undefined) {
    // The PostgreSQL driver is loaded only where a server is configured.
    const { openPostgres } = await import('./postgres/open-postgres.ts')
    return openPostgres(url, options)
  }
  const { what, durability, migrations } = options
  try {
    if (path !== ':memory:') {
      if (existsSync(restorePlanFile(dirname(path))))
        throw new Error('a restore of its folder was interrupted; run npm run restore to finish it')
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      accessSync(dirname(path), constants.W_OK)
      makePrivate(path)
    }
    const dialect = new SqliteDialect({ database: nodeSqlite(path, durability) })
    dialect.createAdapter = () => new TransactionalSqliteAdapter()
    const db = new GroupCommitDatabase<Schema>({ dialect })
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    const { error } = await migrator.migrateToLatest()
    if (!error) return db
    await db.destroy()
    throw error
  } catch (cause) {
    throw new StorageError(`the ${what} ${path} cannot be used: ${toSentence(cause, { what, path })}`, { cause })
  }
}

/** Takes the file from other users. SQLite gives the files beside a database the permissions of the database. */
function makePrivate(path: string): void {
  // An existing file is not opened here: closing it would release the locks that this process holds on it (POSIX).
  if (!existsSync(path)) {
    try {
      closeSync(openSync(path, 'wx', 0o600))
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    }
    return
  }
  for (const file of [path, `${path}-wal`, `${path}-shm`])
    try {
      if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
    } catch {
      // The file does not exist, or belongs to another user, who decides on its permissions.
    }
}

const may = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

/** The file of a database, or one that SQLite put beside it, that another user left in a folder of ours. */
const findForeignFile = (path: string): string | undefined =>
  may(dirname(path), constants.W_OK | constants.X_OK)
    ? [path, `${path}-wal`, `${path}-shm`].find(
        (file) => existsSync(file) && !may(file, constants.R_OK | constants.W_OK),
      )
    : undefined

function toSentence(cause: unknown, { what, path }: { what: string; path: string }): string {
  const text = cause instanceof Error ? cause.message : String(cause)
  const mark = findMark(text)
  if (mark) return toMarkSentence(mark)
  if (/ENOSPC|disk is full|SQLITE_FULL|disk I\/O error/i.test(text)) return 'the disk is full; free some space'
  if (/EACCES|EROFS|EPERM|ENOENT|ENOTDIR|EEXIST|readonly|unable to open/i.test(text)) {
    const foreign = findForeignFile(path)
    if (foreign !== undefined) return `${foreign} is not for this user; ${toOwnerAdvice(dirname(path))}`
    return 'the folder cannot be written; make it writable or set DATA_DIR to another one'
  }
  if (/not a database|malformed/i.test(text)) return `the file is not a ${what}; move it aside or set DATA_DIR`
  return findNewerVersion(text) ?? text
}
