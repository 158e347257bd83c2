import type { BooksMark } from '../books-mark.ts'

/** Our databases: files of these names, schemas of a PostgreSQL database. The ledger is opened first by every program. */
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
  /** Sorted by name, so that both engines say the same. */
  readonly columns: readonly Column[]
  readonly key: readonly string[]
  /** Tables whose rows its rows speak of. */
  readonly refersTo: readonly string[]
}

/** All books of one place, on either engine. */
export interface Books {
  mark(): Promise<BooksMark | undefined>
  /** When it returns, the mark stays on or off whatever happens, and so does everything that was written before. */
  setMark(mark: BooksMark | undefined): Promise<void>
  /** Those of the programs, without what belongs to the place. */
  tables(): Promise<readonly Table[]>
  count(table: Table): Promise<bigint>
  /** All rows in the order of the key, a batch at a time. */
  rows(table: Table): AsyncIterable<readonly Row[]>
  write(table: Table, rows: readonly Row[]): Promise<void>
  /** Removes everything, the mark last or at the same time. */
  clear(): Promise<void>
  release(): Promise<void>
}

/** Where books are or will be. */
export interface Place {
  /** What marks and people call it, without a password: `the database farthing at db:5432`. */
  readonly name: string
  /** How programs are led to it. */
  readonly setting: string
  /** Opens everything once, as programs do, so that all tables are there and of this version. */
  migrate(): Promise<void>
  /**
   * Keeps every program away until it is released.
   *
   * @throws Error of one sentence while a program is there
   */
  hold(): Promise<Books>
  /** To be read only, whoever uses it. */
  look(): Promise<Books>
}

/** How our databases are opened. */
export type OpenDatabase = (path: string, url?: string) => Promise<{ destroy(): Promise<void> }>

/** Made by what brings tables up to date, or by Litestream, which ships the log of a file: each place has its own. */
export const isOfPlace = (table: string): boolean => table.startsWith('kysely_') || table.startsWith('_litestream_')

const columnTypes: Readonly<Record<string, Column['type']>> = {
  text: 'text',
  integer: 'integer',
  bigint: 'integer',
  blob: 'bytes',
  bytea: 'bytes',
}

/** @throws Error for a type that no table of ours had when this was written */
export function toColumn(table: string, name: string, declared: string): Column {
  const type = columnTypes[declared.toLowerCase()]
  if (!type) throw new Error(`no column of type ${declared} can be moved yet: ${table}.${name}`)
  return { name, type }
}

/** Some of what has bytes is large. */
export const rowsAtOnce = ({ columns }: Table): number => (columns.some(({ type }) => type === 'bytes') ? 50 : 500)

const toName = ({ database, name }: Table): string => `${databases.indexOf(database)}.${name}`

/** Sorted so that what rows speak of comes before them, and alike on both engines. */
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
