import type { DatabaseSync } from 'node:sqlite'
import { type BooksMark, readMark, toMarkText } from '../books-mark.ts'

const hasMigrations = (db: DatabaseSync): boolean =>
  db.prepare(`select 1 from sqlite_schema where name = 'kysely_migration'`).get() !== undefined

/** The mark on a SQLite file that no program may use; undefined when it has none. */
export function findSqliteMark(db: DatabaseSync): BooksMark | undefined {
  if (!hasMigrations(db)) return undefined
  const names = db.prepare('select name from kysely_migration').all()
  return names.map(({ name }) => readMark(String(name))).find((mark) => mark !== undefined)
}

/** Sets or removes the mark. Once it returns, this and everything that was written before are durable. */
export function setSqliteMark(db: DatabaseSync, mark: BooksMark | undefined): void {
  db.exec('pragma synchronous = full; begin')
  const old = findSqliteMark(db)
  if (old) db.prepare('delete from kysely_migration where name = ?').run(toMarkText(old))
  const insert = 'insert into kysely_migration (name, timestamp) values (?, ?)'
  if (mark) db.prepare(insert).run(toMarkText(mark), new Date().toISOString())
  // The checkpoint syncs the log and then the file, so that every row that was written before is on the disk.
  db.exec('commit; pragma wal_checkpoint(truncate)')
}
