import { Kysely, PostgresDialect } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { keepClock, makeServerClock } from '../lease-clock.ts'
import type { Durability } from '../node-sqlite.ts'
import { StorageError } from '../storage-error.ts'
import { makePostgresPool } from './postgres-pool.ts'
import { toPostgresSentence } from './postgres-sentence.ts'
import { toConnection } from './to-connection.ts'

interface Options {
  /** Name of the database in error messages. */
  readonly what: string
  /** PostgreSQL schema of its tables. */
  readonly schema: string
  readonly durability: Durability
  readonly migrations: Readonly<Record<string, Migration>>
  /** Maximum number of connections, where that is fewer than usual. */
  readonly most?: number
}

/** A server takes a hundred connections by default, which several programs share. */
const mostConnections = 10

/**
 * Opens one of our databases on a PostgreSQL server, in a schema of its own, and brings its tables up to date.
 *
 * @throws StorageError when it cannot be used, or is not as durable as promised; its message does not hold the password
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
  // When several programs start at once, one makes the tables and the others wait, without a statement timeout.
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
