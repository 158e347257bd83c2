import type { BooksMark } from '../books-mark.ts'

/**
 * Our databases: SQLite files of these names, or schemas of one PostgreSQL database. Together they are the books. All
 * programs but a few commands open the ledger first.
 */
export const databases = ['ledger', 'oauth', 'game'] as const

export type DatabaseName = (typeof databases)[number]

export type Value = null | bigint | string | Uint8Array

/** The values in the order of the table's columns. */
export type Row = readonly Value[]

export interface Column {
  readonly name: string
  readonly type: 'text' | 'integer' | 'bytes'
}

export interface Table {
  readonly database: DatabaseName
  readonly name: string
  /** Sorted by name, so that both engines give the same order. */
  readonly columns: readonly Column[]
  readonly key: readonly string[]
  /** Tables that its foreign keys refer to. */
  readonly refersTo: readonly string[]
}

/** All books of one place, on either engine. */
export interface Books {
  mark(): Promise<BooksMark | undefined>
  /** Sets or removes the mark. Once it resolves, this and everything that was written before are durable. */
  setMark(mark: BooksMark | undefined): Promise<void>
  /** The tables of our programs, without those of the engine's tools: see `isOfPlace`. */
  tables(): Promise<readonly Table[]>
  count(table: Table): Promise<bigint>
  /** All rows in the order of the key, a batch at a time. */
  rows(table: Table): AsyncIterable<readonly Row[]>
  write(table: Table, rows: readonly Row[]): Promise<void>
  /** Removes everything, the mark last or at the same time. */
  clear(): Promise<void>
  release(): Promise<void>
}

/** A place where books are or can be: SQLite files in a data folder, or a PostgreSQL database. */
export interface Place {
  /** Its name in marks and messages, without a password: `the database farthing at db:5432`. */
  readonly name: string
  /** The setting by which programs use it, as an instruction to the operator. */
  readonly setting: string
  /** Opens each database once, as programs do, so that all tables exist and are of this version. */
  migrate(): Promise<void>
  /**
   * Locks the books against every program until they are released.
   *
   * @throws Error of one sentence while a program uses them
   */
  hold(): Promise<Books>
  /** Opens the books for reading only, also while programs use them. */
  look(): Promise<Books>
}

/** The function that opens one of our databases. */
export type OpenDatabase = (path: string, url?: string) => Promise<{ destroy(): Promise<void> }>

/**
 * Whether the migrator or Litestream (which replicates SQLite files) made the table: each place has its own of these.
 */
export const isOfPlace = (table: string): boolean => table.startsWith('kysely_') || table.startsWith('_litestream_')

const columnTypes: Readonly<Record<string, Column['type']>> = {
  text: 'text',
  integer: 'integer',
  bigint: 'integer',
  blob: 'bytes',
  bytea: 'bytes',
}

/** @throws Error for a declared type that is not in `columnTypes` */
export function toColumn(table: string, name: string, declared: string): Column {
  const type = columnTypes[declared.toLowerCase()]
  if (!type) throw new Error(`no column of type ${declared} can be moved yet: ${table}.${name}`)
  return { name, type }
}

/** Rows per batch: fewer for tables with columns of bytes, because some of these values are large. */
export const rowsAtOnce = ({ columns }: Table): number => (columns.some(({ type }) => type === 'bytes') ? 50 : 500)

const toName = ({ database, name }: Table): string => `${databases.indexOf(database)}.${name}`

/**
 * Sorts tables so that each comes after those that its foreign keys refer to; the same order on both engines.
 *
 * @throws Error when tables refer to each other
 */
export function inOrder(tables: readonly Table[]): Table[] {
  const done: Table[] = []
  let rest = tables.toSorted((a, b) => (toName(a) < toName(b) ? -1 : 1))
  while (rest.length > 0) {
    const waits = ({ database, refersTo }: Table) =>
      rest.some((other) => other.database === database && refersTo.includes(other.name))
    const next = rest.filter((table) => !waits(table))
    if (next.length === 0)
      throw new Error(`these tables speak of each other: ${rest.map(({ name }) => name).join(', ')}`)
    done.push(...next)
    rest = rest.filter((table) => !next.includes(table))
  }
  return done
}
