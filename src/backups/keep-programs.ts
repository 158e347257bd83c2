import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setSqliteMark } from '../storage/move/sqlite-mark.ts'
import { isDamage } from './damaged-file.ts'

/** Backups of older programs contain this table, which is not restored. */
export const permissionTable = 'oauth_record'

/**
 * Copies the registered OAuth clients of the data folder for a restore, without their permissions: these have to be
 * given again after it. If the file is damaged, clients have to register again too, so that the restore can go on.
 *
 * @param from `oauth.db`, which no program uses; if it does not exist nothing is written
 * @param say called with a sentence when it is damaged
 */
export function keepPrograms(from: string, to: string, say: (line: string) => void): void {
  if (!existsSync(from)) return
  // `vacuum into` accepts an empty file, and keeps its permissions.
  closeSync(openSync(to, 'wx', 0o600))
  try {
    if (copyPrograms(from, to)) return
  } catch (error) {
    if (!isDamage(error)) throw error
    say('oauth.db cannot be read: it is set aside, and programs have to register again')
  }
  rmSync(to)
}

/** @returns whether there were tables to copy: a program that is killed while it starts leaves an empty file */
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
    // A mark that the books have moved is about the replaced books.
    setSqliteMark(copy, undefined)
    copy.exec(`delete from ${permissionTable} where kind <> 'Client'`)
  } finally {
    copy.close()
  }
  return true
}
