import { DatabaseSync } from 'node:sqlite'

/** The content of a search index, independent of the order in which it was written. */
export function readSearchIndex(file: string): Record<string, unknown> {
  const db = new DatabaseSync(file, { readOnly: true })
  const tables = ['document', 'postings', 'beginning', 'outline', 'stem', 'word']
  const all = tables.map((table) => {
    const rows = db.prepare(`select * from ${table} order by 1, 2`).all()
    return [table, rows.map((row) => ({ ...row }))]
  })
  db.close()
  return Object.fromEntries(all)
}
