import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

type Row = Record<string, unknown>

const toText = (row: object): string =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))

/** Every row of every table of the SQLite files in a folder, read without any code that moves or migrates databases. */
export function readAllRows(dataDir: string): Map<string, Row[]> {
  const all = new Map<string, Row[]>()
  for (const name of ['ledger', 'oauth', 'game']) {
    if (!existsSync(join(dataDir, `${name}.db`))) continue
    const db = new DatabaseSync(join(dataDir, `${name}.db`))
    const tables = db.prepare(`select name from sqlite_schema where type = 'table' order by name`).all()
    for (const { name: table } of tables) {
      if (String(table).startsWith('kysely')) continue
      const select = db.prepare(`select * from "${table}"`)
      select.setReadBigInts(true)
      // Sorted by their text, so that the stored order does not matter.
      const rows = select.all().toSorted((a, b) => (toText(a) < toText(b) ? -1 : 1))
      all.set(`${name}.${table}`, rows)
    }
    db.close()
  }
  return all
}
