import type pg from 'pg'
import { type Books, databases } from './books.ts'
import { makePostgresBooks } from './postgres-books.ts'
import { reachPostgres } from './reach-postgres.ts'

const tablesQuery = `
  select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = any($1) order by 1`

/** A consistent snapshot of the books in a PostgreSQL database. */
interface SeenBooks {
  readonly books: Books
  /** The rows of any other query on the same snapshot. */
  ask(query: string): Promise<unknown[]>
}

/**
 * Opens a snapshot of everything in the three schemas, which lasts until the books are released. Other programs go on
 * writing; only changes to the structure of tables wait. The tables are locked first, because one that is rewritten
 * meanwhile would seem to be empty.
 *
 * @throws StorageError when the database cannot be reached
 */
export async function seePostgres(url: string): Promise<SeenBooks> {
  const { connect, tell, speaking } = reachPostgres(url)
  const client = await connect()
  const begin = async (): Promise<void> => {
    const { rows } = await client.query<{ name: string }>(tablesQuery, [databases])
    await client.query('begin isolation level repeatable read, read only')
    // PostgreSQL takes the snapshot at the first query after the lock.
    if (rows.length > 0)
      await client.query(`lock table ${rows.map(({ name }) => name).join(', ')} in access share mode`)
  }
  try {
    await tell(begin())
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  return {
    books: speaking(makePostgresBooks(client, { isOneMoment: true })),
    ask: async (query) => (await tell<pg.QueryResult>(client.query(query))).rows,
  }
}
