import { DatabaseSync } from 'node:sqlite'

/** Everything that a search index says, whatever the order in which it was written. */
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
