import { inspect } from 'node:util'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { expect, it } from 'vitest'
import type { GameSchema } from '../../game-server/storage/game-schema.ts'
import { makeDatabaseCheck } from '../../src/health/check-database.ts'
import { type LedgerDatabase, openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts'
import { expectNothingOfFailure } from '../support/failing-change.ts'
import { getPrepared } from '../support/get-prepared.ts'
import { makeDatabase, openTestGame } from '../support/test-databases.ts'

const serverUrl = (): URL => new URL(getPrepared('TEST_POSTGRES', 'a PostgreSQL server'))

async function order(...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(serverUrl().href)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** Why a ledger cannot be opened, after a check that the error is one sentence without the password. */
async function complaint(change: (url: URL) => void): Promise<string> {
  const url = serverUrl()
  change(url)
  const opened = await openLedgerDatabase('', url.href).catch((error: Error) => error)
  if (!(opened instanceof Error)) {
    await opened.destroy()
    return 'opened'
  }
  expect(inspect(opened, { depth: 20, showHidden: true })).not.toContain(url.password)
  expect(opened.message).toMatch(/^the ledger in the database \S+ at \S+ cannot be used: [^\n]+$/)
  return opened.message.replace(/^.* cannot be used: /, '')
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1)

it('creates the tables once when many programs find none', async () => {
  const name = 'test_of_many_at_once'
  await order(`drop database if exists ${name}`, `create database ${name} template template0`)
  const url = Object.assign(serverUrl(), { pathname: name }).href
  const opened = await Promise.all(Array.from({ length: 6 }, () => openLedgerDatabase('', url)))
  for (const db of opened) expect(await db.selectFrom('sale').selectAll().execute()).toEqual([])
  for (const db of opened) await db.destroy()
})

it.each([
  [
    'nobody listens',
    (url: URL) => (url.port = '9'),
    /^the server cannot be reached; is it running, and is the address/,
  ],
  ['there is no such host', (url: URL) => (url.hostname = 'nowhere.invalid'), /^the server cannot be reached; is it/],
  ['the password is wrong', (url: URL) => (url.password = 'wrong-password'), /^the server does not let us in; look at/],
  ['there is no such user', (url: URL) => (url.username = 'nobody'), /^the server does not let us in; look at/],
  ['there is no such database', (url: URL) => (url.pathname = '/none'), /^the server has no such database; create it/],
  [
    'nothing is encrypted there',
    (url: URL) => (url.search = '?sslmode=verify-full'),
    /^the server shows no certificate/,
  ],
])('says in one sentence without the password that %s', async (_, change, sentence) => {
  expect(await complaint(change)).toMatch(sentence)
  // The doctor says the same.
  const url = serverUrl()
  change(url)
  const found = await makeDatabaseCheck(url.href).run()
  expect(found).toMatchObject({
    is: 'failure',
    sentence: expect.stringMatching(/^The database cannot be used: the server /),
  })
  expect(JSON.stringify(found)).not.toContain(url.password)
})

it('refuses a database that could lose sales or letters, or in which it may not create tables', async () => {
  const url = await makeDatabase()
  const name = nameOf(url)
  const open = () => complaint((at) => (at.pathname = name))
  await order(`alter database ${name} set synchronous_commit to off`)
  expect(await open()).toBe(
    'synchronous_commit is off, so a crash of the server may take sales; set it to on for its user',
  )
  await order(`alter database ${name} reset synchronous_commit`)
  expect(await open()).toBe('opened')
  await order(
    'drop database if exists test_in_latin',
    `create database test_in_latin encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
  )
  expect(await complaint((at) => (at.pathname = '/test_in_latin'))).toBe(
    'the database is written in LATIN1; make one in UTF8',
  )
  await order('drop role if exists guest', `create role guest login password 'of-a-guest'`)
  expect(await complaint((at) => Object.assign(at, { username: 'guest', password: 'of-a-guest' }))).toBe(
    'its user may not make what is needed there; make it the owner of the database',
  )
})

it('the doctor finds nothing wrong, and creates nothing there', async () => {
  const name = 'test_of_the_doctor'
  await order(`drop database if exists ${name}`, `create database ${name} template template0`)
  const url = Object.assign(serverUrl(), { pathname: name }).href
  expect(await makeDatabaseCheck(url).run()).toMatchObject({ is: 'ok' })
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(`select nspname from pg_namespace where nspname in ('ledger', 'oauth', 'game')`)
  await client.end()
  expect(rows).toEqual([])
})

it('changes nothing in a database that a newer version has used', async () => {
  const url = await makeDatabase()
  const open = () => openLedgerDatabase('', url)
  const db = await open()
  await sql`insert into kysely_migration (name, timestamp) values ('999_later', 'now')`.execute(db)
  await expect(open()).rejects.toThrow(
    /cannot be used: a newer version of this program has used it; run that version, or restore an earlier backup\. Nothing was changed$/,
  )
  await db.destroy()
})

it('a failed migration leaves the database as it was, for the version before and for the one that corrects it', async () => {
  const name = 'test_of_a_failed_change'
  await order(`drop database if exists ${name}`, `create database ${name} template template0`)
  const url = Object.assign(serverUrl(), { pathname: name }).href
  await expectNothingOfFailure({
    open: (migrations) =>
      openPostgres<object>(url, { what: 'ledger', schema: 'ledger', durability: 'full', migrations }),
    complaint: /^the ledger in the database \S+ at \S+ cannot be used: /,
    async hasHalf(db) {
      const { rows } = await sql<{ made: unknown }>`select to_regclass('ledger.half_made') as made`.execute(db)
      return rows[0]?.made !== null
    },
  })
  await (await openLedgerDatabase('', url)).destroy()
})

it('syncs every sale and every move of the game to disk, and has a timeout for every wait', async () => {
  const place = crypto.randomUUID()
  const ledger = await openLedgerDatabase('', await makeDatabase(place))
  const game = await openTestGame(place)
  const settings = ['synchronous_commit', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
  const show = async (db: Kysely<GameSchema> | LedgerDatabase) =>
    Promise.all(
      settings.map(async (name) => {
        const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)
        return rows[0]?.value
      }),
    )
  expect(await show(ledger)).toEqual(['on', '30s', '5s', '30s'])
  expect(await show(game)).toEqual(['on', '30s', '5s', '30s'])
  await game.destroy()
  await ledger.destroy()
})

it('reads integers as numbers, and refuses one that would lose its last digits', async () => {
  const db: LedgerDatabase = await openLedgerDatabase('', await makeDatabase())
  const write = (count: bigint) =>
    db
      .insertInto('sale_total')
      .values({ day: `day ${count}`, offer_id: 'o', path: '/', count, micros: count })
      .execute()
  await write(9_007_199_254_740_990n)
  const read = db
    .selectFrom('sale_total')
    .select(({ fn }) => ['count', fn.sum<number>('micros').as('sum')])
    .groupBy('count')
  expect(await read.execute()).toEqual([{ count: 9_007_199_254_740_990, sum: 9_007_199_254_740_990 }])
  await write(9_007_199_254_740_992n)
  await expect(read.execute()).rejects.toThrow(RangeError)
  // The connection can still be used.
  expect(await db.selectFrom('sale_total').select('day').execute()).toHaveLength(2)
  await db.destroy()
})
