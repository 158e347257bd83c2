import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { SqliteDatabase } from 'kysely'
import { withoutSyncMark } from './without-sync.ts'

/** Milliseconds a writer waits for another process before it gives up. */
const busyTimeoutMs = 5000
const keptStatements = 500

/** Values as SQLite stores them; anything else is a bug of ours. */
function toSqlValue(value: unknown): SQLInputValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  if (value instanceof Uint8Array) return value
  throw new TypeError(`SQLite cannot store a ${typeof value}`)
}

/** What a power cut may lose: with `full` no commit, with `normal` the last ones. Neither corrupts the file. */
export type Durability = 'full' | 'normal'

/** A statement without effect, for a rollback that SQLite has already made. */
const nothing = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
}

/** Implements the methods that Kysely needs of a SQLite driver with `node:sqlite`, and caches prepared statements. */
export function nodeSqlite(path: string, durability: Durability): SqliteDatabase {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs })
  try {
    db.exec(`pragma journal_mode = wal; pragma synchronous = ${durability}; pragma foreign_keys = on`)
  } catch (error) {
    db.close()
    throw error
  }
  const withoutWaiting = <Result>(write: () => Result): Result => {
    db.exec('pragma synchronous = normal')
    try {
      return write()
    } finally {
      db.exec(`pragma synchronous = ${durability}`)
    }
  }
  /** From the beginning of a transaction until it is committed or rolled back by its owner. */
  let isBegun = false
  const begin = 'begin immediate'
  const prepare = (text: string) => {
    const statement = db.prepare(text)
    const run = (values: readonly unknown[]) => {
      const result = statement.run(...values.map(toSqlValue))
      if (text === begin) isBegun = true
      else if (text === 'commit') isBegun = false
      return result
    }
    return {
      reader: statement.columns().length > 0,
      all: (values: readonly unknown[]) => statement.all(...values.map(toSqlValue)),
      run: text.endsWith(withoutSyncMark) ? (values: readonly unknown[]) => withoutWaiting(() => run(values)) : run,
      iterate: (values: readonly unknown[]) => statement.iterate(...values.map(toSqlValue)),
    }
  }
  const kept = new Map<string, ReturnType<typeof prepare>>()
  return {
    close: () => db.close(),
    prepare(asked) {
      // Take the write lock at once: a reader that upgrades later fails instead of waiting when two processes write.
      const text = asked === 'begin' ? begin : asked
      const hasEnded = isBegun && !db.isTransaction
      if (text === 'rollback') {
        isBegun = false
        // A full disk ends a transaction by itself; rolling it back again would hide why it failed.
        if (!db.isTransaction) return nothing
      } else if (hasEnded)
        // It would be written at once, and stay although the rest of the transaction is gone.
        throw new Error('the transaction was rolled back when an earlier statement of it failed')
      const known = kept.get(text)
      if (known) return known
      if (kept.size >= keptStatements) kept.clear()
      const fresh = prepare(text)
      kept.set(text, fresh)
      return fresh
    },
  }
}
