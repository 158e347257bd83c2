import type { DatabaseSync } from 'node:sqlite'
import { type BooksMark, readMark, toMarkText } from '../books-mark.ts'

const hasMigrations = (db: DatabaseSync): boolean =>
  db.prepare(`select 1 from sqlite_schema where name = 'kysely_migration'`).get() !== undefined

/** What is written on a file that no program may use. */
export function findSqliteMark(db: DatabaseSync): BooksMark | undefined {
  if (!hasMigrations(db)) return undefined
  const names = db.prepare('select name from kysely_migration').all()
  return names.map(({ name }) => readMark(String(name))).find((mark) => mark !== undefined)
}

/** When it returns, the mark stays on or off whatever happens, and so does all that was written before. */
export function setSqliteMark(db: DatabaseSync, mark: BooksMark | undefined): void {
  db.exec('pragma synchronous = full; begin')
  const old = findSqliteMark(db)
  if (old) db.prepare('delete from kysely_migration where name = ?').run(toMarkText(old))
  const insert = 'insert into kysely_migration (name, timestamp) values (?, ?)'
  if (mark) db.prepare(insert).run(toMarkText(mark), new Date().toISOString())
  // With the log, which is synced first, every row that was written before is on the disk.
  db.exec('commit; pragma wal_checkpoint(truncate)')
}
