import { Kysely, PostgresDialect } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { keepClock, makeServerClock } from '../lease-clock.ts'
import type { Durability } from '../node-sqlite.ts'
import { StorageError } from '../storage-error.ts'
import { makePostgresPool } from './postgres-pool.ts'
import { toPostgresSentence } from './postgres-sentence.ts'
import { toConnection } from './to-connection.ts'

interface Options {
  /** What people call it, in errors. */
  readonly what: string
  /** Where its tables are within the database. */
  readonly schema: string
  readonly durability: Durability
  readonly migrations: Readonly<Record<string, Migration>>
  /** How many connections at once, where that is fewer than usual. */
  readonly most?: number
}

/** Of a hundred connections that a server takes by default, a few programs must find theirs. */
const mostConnections = 10

/**
 * Opens one of our databases on a PostgreSQL server, in a schema of its own, and brings its tables up to date.
 *
 * @throws StorageError when it cannot be used, or would not keep what is promised; no word of it holds the password
 */
export async function openPostgres<Schema>(
  url: string,
  { what, schema, durability, migrations, most: mostOpen = mostConnections }: Options,
): Promise<Kysely<Schema>> {
  const connection = toConnection(url)
  const clock = makeServerClock()
  const open = (most: number, isPatient: boolean): Kysely<Schema> =>
    new Kysely({
      dialect: new PostgresDialect({
        pool: makePostgresPool(connection, { schema, durability, most, isPatient, clock }),
      }),
    })
  // Of several programs that start at once one makes the tables, and the others wait for as long as that takes.
  const maker = open(1, true)
  try {
    const provider = { getMigrations: async () => migrations }
    const { error } = await new Migrator({ db: maker, provider, migrationTableSchema: schema }).migrateToLatest()
    if (error) throw error
  } catch (cause) {
    throw new StorageError(
      `the ${what} in the database ${connection.name} cannot be used: ${toPostgresSentence(cause)}`,
      { cause },
    )
  } finally {
    await maker.destroy()
  }
  const db = open(mostOpen, false)
  keepClock(db, clock)
  return db
}
