import { DatabaseSync } from 'node:sqlite'

/** The texts that a build keeps for the next one, independent of the order in which they were written. */
export function readKeptTexts(file: string): unknown[] {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db.prepare('select * from text order by 1, 2').all()
  db.close()
  return rows.map((row) => ({ ...row }))
}
