import { DatabaseSync } from 'node:sqlite'

/**
 * Drops in a ledger that is restored the letters that wait, and lets the newsletter begin anew: what readers got since
 * the backup is not known, and nobody gets a letter twice. Older backups know no letters.
 *
 * @param file of the ledger, which nobody uses
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
