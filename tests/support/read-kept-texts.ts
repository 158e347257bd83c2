import { DatabaseSync } from 'node:sqlite'

/** What a build keeps of its texts for the next one, whatever the order in which it was written. */
export function readKeptTexts(file: string): unknown[] {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db.prepare('select * from text order by 1, 2').all()
  db.close()
  return rows.map((row) => ({ ...row }))
}
