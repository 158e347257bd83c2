import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import type { DatabaseFacts } from './manifest.ts'

const counted = new Set(['amount', 'credits'])
const namesSchema = z.array(z.object({ name: z.string() })).transform((rows) => rows.map(({ name }) => name))
const countSchema = z.object({ count: z.number() })
const sumSchema = z.object({ sum: z.string() })
const latestSchema = z.object({ latest: z.number().nullable() })

const readNames = (db: DatabaseSync, query: string): string[] => namesSchema.parse(db.prepare(query).all())

/**
 * Counts the rows and adds up the columns `amount` and `credits` of each table; of one moment if within a transaction.
 */
export function describeDatabase(db: DatabaseSync): DatabaseFacts {
  const tables = readNames(
    db,
    `select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name`,
  )
  const rows: Record<string, number> = {}
  const sums: Record<string, string> = {}
  for (const table of tables) {
    rows[table] = countSchema.parse(db.prepare(`select count(*) as count from "${table}"`).get()).count
    for (const column of readNames(db, `select name from pragma_table_info('${table}')`))
      if (counted.has(column)) {
        // As text, so that no sum is rounded on its way into a number.
        const total = db.prepare(`select cast(total as text) as sum from (
          select coalesce(sum(cast("${column}" as integer)), 0) as total from "${table}")`)
        sums[`${table}.${column}`] = sumSchema.parse(total.get()).sum
      }
  }
  const migrations = tables.includes('kysely_migration')
    ? readNames(db, 'select name from kysely_migration order by name')
    : []
  return { migrations, rows, sums }
}

/** When the newest sale was settled; null when there is none. */
export function findNewestSale(ledger: DatabaseSync): number | null {
  if (readNames(ledger, `select name from sqlite_schema where name = 'sale'`).length === 0) return null
  return latestSchema.parse(ledger.prepare('select max(settled_at) as latest from sale').get()).latest
}
