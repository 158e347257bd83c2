import { isDeepStrictEqual } from 'node:util'
import { type Books, inOrder, type Table } from './books.ts'
import { digestRows, type TableFacts } from './digest-rows.ts'

export interface MovedTable extends TableFacts {
  readonly name: string
}

interface Options {
  readonly source: Books
  readonly target: Books
  /** Which of the databases; all when absent. */
  readonly isWanted?: (table: Table) => boolean
  readonly say: (line: string) => void
  /** End of the error message when the two sides differ, after a semicolon: what that means for the operator. */
  readonly otherwise: string
}

const nameOf = ({ database, name }: Table): string => `${database}.${name}`

/**
 * Writes all rows of one place into the empty tables of another, a batch at a time, reads them again there, and
 * compares the two: rows, sums of money, and SHA-256 over every value.
 *
 * @param begin is called when the tables of both sides are known to be the same, before anything is written
 * @returns what each table held, on both sides
 * @throws Error of one sentence when anything differs
 */
export async function copyTables(
  { source, target, isWanted = () => true, say, otherwise }: Options,
  begin: () => Promise<void> = async () => {},
): Promise<readonly MovedTable[]> {
  const tables = inOrder((await source.tables()).filter(isWanted))
  if (!isDeepStrictEqual(tables, inOrder(await target.tables())))
    throw new Error(`the tables of the two sides differ; ${otherwise}`)
  await begin()
  const copied: { table: Table; facts: TableFacts }[] = []
  for (const table of tables) {
    say(`copying ${nameOf(table)}`)
    copied.push({ table, facts: await copy(table, source, target) })
  }
  say('comparing')
  for (const { table, facts } of copied)
    if (!isDeepStrictEqual(await read(table, target), facts))
      throw new Error(`${nameOf(table)} is not the same on both sides; ${otherwise}`)
  return copied.map(({ table, facts }) => ({ name: nameOf(table), ...facts }))
}

async function copy(table: Table, source: Books, target: Books): Promise<TableFacts> {
  const digest = digestRows(table)
  for await (const rows of source.rows(table)) {
    digest.add(rows)
    await target.write(table, rows)
  }
  return digest.end()
}

async function read(table: Table, books: Books): Promise<TableFacts> {
  const digest = digestRows(table)
  for await (const rows of books.rows(table)) digest.add(rows)
  return digest.end()
}
