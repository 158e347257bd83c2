import pg from 'pg'
import { z } from 'zod'
import { readMark, toMarkText } from '../books-mark.ts'
import { markOfBooks, markSchema } from '../postgres/books-lock.ts'
import { StorageError } from '../storage-error.ts'
import { type Books, databases, isOfPlace, type Row, rowsAtOnce, type Table, toColumn } from './books.ts'

const columnsSchema = z.array(
  z.object({ database: z.enum(databases), table: z.string(), name: z.string(), type: z.string() }),
)
const linksSchema = z.array(
  z.object({
    database: z.enum(databases),
    table: z.string(),
    kind: z.enum(['p', 'f']),
    columns: z.array(z.string()),
    refers: z.string().nullable(),
  }),
)
const rowsSchema = z.array(z.array(z.union([z.null(), z.bigint(), z.string(), z.instanceof(Uint8Array)])))

const columnsQuery = `
  select table_schema as database, table_name as "table", column_name as name, data_type as type
  from information_schema.columns where table_schema = any($1) order by 1, 2, column_name collate "C"`

/** Primary keys, and which tables refer to which by foreign keys. */
const linksQuery = `
  select space.nspname as database, of.relname as "table", link.contype as kind, other.relname as refers,
    array(
      select attname::text from unnest(link.conkey) with ordinality as part (number, place)
      join pg_attribute on attrelid = link.conrelid and attnum = part.number order by place
    ) as columns
  from pg_constraint as link
  join pg_class as of on of.oid = link.conrelid
  join pg_namespace as space on space.oid = of.relnamespace
  left join pg_class as other on other.oid = link.confrelid
  where space.nspname = any($1) and link.contype in ('p', 'f')`

const nameOf = ({ database, name }: Table): string => `${database}."${name}"`
const namesOf = ({ columns }: Table): string => columns.map(({ name }) => `"${name}"`).join(', ')

/** Sorts texts by their bytes, as SQLite does. */
const orderOf = ({ columns, key }: Table): string =>
  key
    .map((name) =>
      columns.find((column) => column.name === name)?.type === 'text' ? `"${name}" collate "C"` : `"${name}"`,
    )
    .join(', ')

/** @throws StorageError for a text with a zero byte, which SQLite can store and PostgreSQL cannot */
function assertKeepable(table: Table, rows: readonly Row[]): void {
  for (const row of rows)
    for (const [at, value] of row.entries())
      if (typeof value === 'string' && value.includes('\0'))
        throw new StorageError(
          `a text in ${table.name}.${table.columns[at]?.name} has a zero byte, which it cannot keep`,
        )
}

async function readTables(client: pg.Client): Promise<Table[]> {
  const columns = columnsSchema.parse((await client.query(columnsQuery, [databases])).rows)
  const links = linksSchema.parse((await client.query(linksQuery, [databases])).rows)
  const named = Map.groupBy(columns, ({ database, table }) => `${database}.${table}`)
  return [...named.values()].flatMap((ofTable) => {
    const [first] = ofTable
    if (!first || isOfPlace(first.table)) return []
    const own = links.filter(({ database, table }) => database === first.database && table === first.table)
    return {
      database: first.database,
      name: first.table,
      columns: ofTable.map(({ name, type }) => toColumn(first.table, name, type)),
      key: own.find(({ kind }) => kind === 'p')?.columns ?? [],
      refersTo: [...new Set(own.flatMap(({ refers }) => refers ?? []))].sort(),
    }
  })
}

interface Options {
  /** Whether the client is within a transaction already, which ends with the client. */
  readonly isOneMoment?: boolean
}

/** @param client used by nothing else; `release` ends it */
export function makePostgresBooks(client: pg.Client, { isOneMoment = false }: Options = {}): Books {
  return {
    async mark() {
      const { rows } = await client.query<{ mark: string | null }>(`select ${markOfBooks} as mark`)
      return readMark(rows[0]?.mark)
    },
    async setMark(mark) {
      await client.query('set synchronous_commit to on')
      await client.query(
        mark
          ? `create schema if not exists ${markSchema};
             comment on schema ${markSchema} is ${pg.escapeLiteral(toMarkText(mark))}`
          : `drop schema if exists ${markSchema}`,
      )
      // Rows need no sync: the next mark makes them durable too, and without that mark they do not count.
      await client.query('set synchronous_commit to off')
    },
    tables: () => readTables(client),
    async count(table) {
      const { rows } = await client.query<{ count: bigint }>(`select count(*) as count from ${nameOf(table)}`)
      return rows[0]?.count ?? 0n
    },
    async *rows(table) {
      const query = `select ${namesOf(table)} from ${nameOf(table)} order by ${orderOf(table)}`
      await client.query(`${isOneMoment ? '' : 'begin read only; '}declare rows no scroll cursor for ${query}`)
      for (;;) {
        const fetched = await client.query({ text: `fetch ${rowsAtOnce(table)} from rows`, rowMode: 'array' })
        if (fetched.rows.length === 0) break
        yield rowsSchema.parse(fetched.rows)
      }
      await client.query(isOneMoment ? 'close rows' : 'commit')
    },
    async write(table, rows) {
      assertKeepable(table, rows)
      const width = table.columns.length
      const slots = rows.map((_, row) => `(${table.columns.map((_, at) => `$${row * width + at + 1}`).join(', ')})`)
      await client.query({
        // With a name, the server parses the statement once for all batches of this size.
        name: `${table.database}.${table.name} ${rows.length}`,
        text: `insert into ${nameOf(table)} (${namesOf(table)}) values ${slots.join(', ')}`,
        values: rows.flat(),
      })
    },
    async clear() {
      await client.query(`drop schema if exists ${[...databases, markSchema].join(', ')} cascade`)
    },
    release: () => client.end().catch(() => {}),
  }
}
