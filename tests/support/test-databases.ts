import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Kysely, SqliteDialect, sql } from 'kysely'
import pg from 'pg'
import { openGameDatabase } from '../../game-server/storage/open-game-database.ts'
import { openOauthDatabase } from '../../src/oauth/open-oauth-database.ts'
import { GroupCommitDatabase } from '../../src/storage/group-commit.ts'
import { nodeSqlite } from '../../src/storage/node-sqlite.ts'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { openLimitUses } from '../../src/storage/postgres/limit-uses.ts'
import { getPrepared } from './get-prepared.ts'

/** Whether the tests of this project run on PostgreSQL. */
export const isOnPostgres = (): boolean => process.env['TEST_ENGINE'] === 'postgres'

/** Errors of PostgreSQL if the database exists already, or is being created. */
const exists = ['42P04', '23505']
/** The error if another database is being created from the same template. */
const busy = '55006'
const template = 'farthing_test_template'
const made = new Map<string, Promise<string>>()

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const toUrl = (url: string, name: string): string => Object.assign(new URL(url), { pathname: name }).href

/** Creates the template with the tables for all databases that tests create on a server. */
export async function makeTemplate(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`drop database if exists ${template} with (force)`)
    await client.query(`create database ${template} template template0`)
  })
  const home = toUrl(url, template)
  for (const db of [
    await openLedgerDatabase('', home),
    await openGameDatabase('', home),
    await openOauthDatabase('', home),
  ])
    await db.destroy()
  const uses = await openLimitUses(home)
  await uses.close()
}

/** Removes everything that tests created on somebody's server. */
export const dropTests = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      `select datname from pg_database where datname ~ '^(test|farthing_test)_'`,
    )
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`)
    await client.query('drop role if exists guest')
  })

async function make(name: string): Promise<string> {
  const url = getPrepared('TEST_POSTGRES', 'a PostgreSQL server')
  await withClient(url, async (client) => {
    for (;;)
      try {
        await client.query(`create database ${name} template ${template} strategy file_copy`)
        return
      } catch (error) {
        const code = error instanceof pg.DatabaseError ? error.code : undefined
        if (code !== undefined && exists.includes(code)) return
        if (code !== busy) throw error
      }
  })
  return toUrl(url, name)
}

/** The URL of a database for a test; the same place gives the same database in every process. */
export function makeDatabase(place: string = randomUUID()): Promise<string> {
  const name = `test_${createHash('sha256').update(place).digest('hex').slice(0, 24)}`
  const known = made.get(name) ?? make(name)
  made.set(name, known)
  return known
}

/** The database of the programs that use a data folder; undefined if they use files in it. */
export const databaseUrlOf = async (dataDir: string): Promise<string | undefined> =>
  isOnPostgres() ? makeDatabase(dataDir) : undefined

/**
 * Makes a function that opens the database of a data folder, or a new private one, on the engine that the tests run on.
 * Private ones in memory are copies of one that was migrated: to migrate each would take most of the time of tests that
 * open thousands.
 */
function openerOf<Schema>(
  file: string,
  open: (path: string, url?: string) => Promise<Kysely<Schema>>,
): (dataDir?: string) => Promise<Kysely<Schema>> {
  let statements: Promise<readonly string[]> | undefined
  return async (dataDir) => {
    if (dataDir !== undefined) return open(join(dataDir, file), await databaseUrlOf(dataDir))
    if (isOnPostgres()) return open('', await makeDatabase())
    statements ??= open(':memory:').then(dumpAndClose)
    const database = nodeSqlite(':memory:', 'full')
    for (const statement of await statements) database.prepare(statement).run([])
    const db = new GroupCommitDatabase<Schema>({ dialect: new SqliteDialect({ database }) })
    // Kysely connects with the first statement, and closes only what is connected.
    await sql`select 1`.execute(db)
    return db
  }
}

/** The statements that make the tables of a migrated database. No migration fills a table but Kysely's own. */
async function dumpAndClose<Schema>(db: Kysely<Schema>): Promise<readonly string[]> {
  try {
    const { rows } = await sql<{ sql: string }>`
      select sql from sqlite_master where sql is not null and name not like 'sqlite_%' order by rowid
    `.execute(db)
    return rows.map((row) => row.sql)
  } finally {
    await db.destroy()
  }
}

export const openTestLedger = openerOf('ledger.db', openLedgerDatabase)
export const openTestGame = openerOf('game.db', openGameDatabase)
export const openTestOauth = openerOf('oauth.db', openOauthDatabase)

/** The settings of programs that use a data folder. */
export async function toPlace(dataDir: string): Promise<Readonly<Record<string, string>>> {
  const databaseUrl = await databaseUrlOf(dataDir)
  return { DATA_DIR: dataDir, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) }
}
