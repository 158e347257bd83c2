import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { syncFolder } from '../write-atomically.ts'
import { databases as all, type DatabaseName, type OpenDatabase, type Place } from './books.ts'
import { makeSqliteBooks, type SqliteOptions } from './sqlite-books.ts'

const sqliteBusy = 5
/** A program that has just ended may still have a file open. */
const waitMs = 1000

const isBusy = (error: unknown): boolean => error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy

/**
 * Opens a file under an exclusive lock: no other process can read or write it until it is closed.
 *
 * @throws Error of one sentence while a program uses the file
 */
function openAlone(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: waitMs })
  try {
    db.exec('pragma locking_mode = exclusive; begin exclusive; rollback')
    return db
  } catch (cause) {
    db.close()
    throw isBusy(cause) ? new Error(`a program uses ${path}; stop it first`, { cause }) : cause
  }
}

/** Opens a file for reading. Without a log it is opened as immutable, or SQLite would create the files of a log. */
function openToRead(path: string): DatabaseSync {
  const url = pathToFileURL(path)
  const log = `${path}-wal`
  if (!existsSync(log) || statSync(log).size === 0) url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { readOnly: true, timeout: waitMs })
}

/**
 * The books as SQLite files of a data folder. A file that does not exist counts as empty.
 *
 * @param open opens each of the databases that belong to this place
 */
export function sqlitePlace(
  dataDir: string,
  open: Readonly<Partial<Record<DatabaseName, OpenDatabase>>>,
  options: SqliteOptions = {},
): Place {
  const databases = all.filter((name) => open[name])
  const toPath = (name: DatabaseName): string => join(dataDir, `${name}.db`)

  function openAll(openOne: (path: string) => DatabaseSync): Map<DatabaseName, DatabaseSync> {
    const opened = new Map<DatabaseName, DatabaseSync>()
    try {
      for (const name of databases) if (existsSync(toPath(name))) opened.set(name, openOne(toPath(name)))
      return opened
    } catch (error) {
      for (const db of opened.values()) db.close()
      throw error
    }
  }

  /** Deletes the files of a closed database, so that no log beside them holds anything that is still needed. */
  const remove = (name: DatabaseName): void => {
    for (const file of ['', '-wal', '-shm']) rmSync(`${toPath(name)}${file}`, { force: true })
  }

  return {
    name: `the SQLite files in ${dataDir}`,
    setting: `unset DATABASE_URL (DATA_DIR is ${dataDir})`,
    async migrate() {
      for (const name of databases) await (await open[name]?.(toPath(name)))?.destroy()
      await syncFolder(dataDir)
    },
    hold: async () => makeSqliteBooks(openAll(openAlone), remove, options),
    look: async () => makeSqliteBooks(openAll(openToRead), remove),
  }
}
