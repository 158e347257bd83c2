import { DatabaseSync } from 'node:sqlite'

/** Of this table a restore brings back less than the backup has. */
export const permissionTable = 'oauth_record'

/**
 * What programs may do for the operator is asked for again after a restore: a permission that was taken back since the
 * backup must not be good again. The programs stay known.
 */
export function endPermissions(ledgerFile: string): void {
  const db = new DatabaseSync(ledgerFile)
  try {
    if (db.prepare('select name from sqlite_schema where name = ?').get(permissionTable))
      db.exec(`delete from ${permissionTable} where kind <> 'Client'`)
  } finally {
    db.close()
  }
}
