import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import {
  type Books,
  type Column,
  type DatabaseName,
  databases,
  isOfPlace,
  type Row,
  rowsAtOnce,
  type Table,
  toColumn,
  type Value,
} from './books.ts'
import { findSqliteMark, setSqliteMark } from './sqlite-mark.ts'

const namesSchema = z.array(z.object({ name: z.string() })).transform((rows) => rows.map(({ name }) => name))
const columnsSchema = z.array(z.object({ name: z.string(), type: z.string(), pk: z.number() }))
const valueSchema: Readonly<Record<Column['type'], z.ZodType<Value>>> = {
  text: z.string().nullable(),
  integer: z.bigint().nullable(),
  bytes: z.instanceof(Uint8Array).nullable(),
}

/** Checks the types of a row: a SQLite column may hold values of any type. */
function readRow(table: Table, values: unknown): Row {
  return z
    .array(z.unknown())
    .parse(values)
    .map((value, at) => {
      const column = table.columns[at]
      const read = column && valueSchema[column.type].safeParse(value)
      if (!read?.success) throw new Error(`${table.name}.${column?.name} holds a ${typeof value} that is none of ours`)
      return read.data
    })
}

function readTables(database: DatabaseName, db: DatabaseSync): Table[] {
  const names = namesSchema.parse(
    db.prepare(`select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'`).all(),
  )
  return names
    .filter((name) => !isOfPlace(name))
    .map((name) => {
      const columns = columnsSchema.parse(
        db.prepare('select name, type, pk from pragma_table_info(?) order by name').all(name),
      )
      const refers = db.prepare('select distinct "table" as name from pragma_foreign_key_list(?) order by 1').all(name)
      return {
        database,
        name,
        columns: columns.map((column) => toColumn(name, column.name, column.type)),
        key: columns
          .filter(({ pk }) => pk > 0)
          .sort((a, b) => a.pk - b.pk)
          .map((column) => column.name),
        refersTo: namesSchema.parse(refers),
      }
    })
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

export interface SqliteOptions {
  /** Whether the files are read back at once and then deleted, so that writes need no sync. */
  readonly isScratch?: boolean
}

/**
 * @param opened in the order of `databases`; a file that does not exist is left out
 * @param remove deletes the files of a database that is closed
 */
export function makeSqliteBooks(
  opened: ReadonlyMap<DatabaseName, DatabaseSync>,
  remove: (name: DatabaseName) => void,
  { isScratch = false }: SqliteOptions = {},
): Books {
  const close = (): void => {
    for (const db of opened.values()) if (db.isOpen) db.close()
  }
  function get(table: Table): DatabaseSync {
    const db = opened.get(table.database)
    if (!db) throw new Error(`there is no ${table.database}.db`)
    return db
  }
  return {
    mark: async () => [...opened.values()].map(findSqliteMark).find((mark) => mark !== undefined),
    // The ledger is marked first and unmarked last: every program but a few commands opens it first.
    async setMark(mark) {
      const all = [...opened.values()]
      for (const db of mark ? all : all.reverse()) setSqliteMark(db, mark)
    },
    tables: async () => [...opened].flatMap(([name, db]) => readTables(name, db)),
    async count(table) {
      const counted = get(table).prepare(`select count(*) as count from "${table.name}"`)
      counted.setReadBigInts(true)
      return z.object({ count: z.bigint() }).parse(counted.get()).count
    },
    async *rows(table) {
      const names = table.columns.map(({ name }) => name)
      const read = get(table).prepare(`select ${quoted(names)} from "${table.name}" order by ${quoted(table.key)}`)
      read.setReadBigInts(true)
      read.setReturnArrays(true)
      let batch: Row[] = []
      for (const values of read.iterate()) {
        batch.push(readRow(table, values))
        if (batch.length < rowsAtOnce(table)) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    },
    async write(table, rows) {
      const db = get(table)
      const names = table.columns.map(({ name }) => name)
      const insert = db.prepare(
        `insert into "${table.name}" (${quoted(names)}) values (${names.map(() => '?').join(', ')})`,
      )
      db.exec(`pragma synchronous = ${isScratch ? 'off' : 'normal'}; begin`)
      for (const row of rows) insert.run(...row)
      db.exec('commit')
    },
    async clear() {
      close()
      for (const name of databases.toReversed()) remove(name)
    },
    release: async () => close(),
  }
}
