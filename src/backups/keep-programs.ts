import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setSqliteMark } from '../storage/move/sqlite-mark.ts'
import { isDamage } from './damaged-file.ts'

/** Of this table a backup of an older program has what no restore brings back. */
export const permissionTable = 'oauth_record'

/**
 * What programs may do for the operator is asked for again after a restore: a permission that was taken back since the
 * backup must not be good again. The programs stay known, unless the file that knows them cannot be read: it keeps
 * nobody from restoring what was sold.
 *
 * @param from the database of the sign-in, which nobody uses; without one nothing is written
 * @param say hears of one that is damaged
 */
export function keepPrograms(from: string, to: string, say: (line: string) => void): void {
  if (!existsSync(from)) return
  // SQLite writes into an empty file, and leaves its permissions.
  closeSync(openSync(to, 'wx', 0o600))
  try {
    if (copyPrograms(from, to)) return
  } catch (error) {
    if (!isDamage(error)) throw error
    say('oauth.db cannot be read: it is set aside, and programs have to register again')
  }
  rmSync(to)
}

/** @returns whether there were tables to copy: a program that was killed in its first second leaves an empty file */
function copyPrograms(from: string, to: string): boolean {
  const db = new DatabaseSync(from)
  try {
    const knows = db.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(permissionTable)
    if (!knows) return false
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
  return true
}
