import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setSqliteMark } from '../storage/move/sqlite-mark.ts'

/** Of this table a backup of an older program has what no restore brings back. */
export const permissionTable = 'oauth_record'

/**
 * What programs may do for the operator is asked for again after a restore: a permission that was taken back since the
 * backup must not be good again. The programs stay known.
 *
 * @param from the database of the sign-in, which nobody uses; without one nothing is written
 */
export function keepPrograms(from: string, to: string): void {
  if (!existsSync(from)) return
  // SQLite writes into an empty file, and leaves its permissions.
  closeSync(openSync(to, 'wx', 0o600))
  const db = new DatabaseSync(from)
  try {
    db.prepare('vacuum into ?').run(to)
  } finally {
    db.close()
  }
  const copy = new DatabaseSync(to)
  try {
    // Where the books went before is of what was there before.
    setSqliteMark(copy, undefined)
    copy.exec(`delete from ${permissionTable} where kind <> 'Client'`)
  } finally {
    copy.close()
  }
}
