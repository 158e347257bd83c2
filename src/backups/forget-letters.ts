import { DatabaseSync } from 'node:sqlite'

/**
 * Deletes the waiting letters in a restored ledger, and lets the newsletter begin anew: which letters readers got since
 * the backup is not known, and no reader may get a letter twice. Older backups have no table of letters.
 *
 * @param file the ledger, which no program uses
 */
export function forgetLetters(file: string): void {
  const db = new DatabaseSync(file)
  try {
    const knows = db.prepare("select 1 from sqlite_schema where type = 'table' and name = 'letter'").get()
    if (knows) db.exec("delete from letter; delete from letter_post where slug = ''")
  } finally {
    db.close()
  }
}
