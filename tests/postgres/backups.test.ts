import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { gameMigrations } from '../../game-server/storage/game-migrations.ts'
import { openGameDatabase } from '../../game-server/storage/open-game-database.ts'
import { toPrefix } from '../../src/backups/backup-tiers.ts'
import { databaseBooks } from '../../src/backups/database-books.ts'
import { finishRestore } from '../../src/backups/finish-restore.ts'
import { openFolderStore } from '../../src/backups/folder-store.ts'
import { openBackup } from '../../src/backups/list-backups.ts'
import { openBackups } from '../../src/backups/make-backup.ts'
import { restoreBackup } from '../../src/backups/restore-backup.ts'
import { restoreIntoDatabase } from '../../src/backups/restore-into-database.ts'
import { writeBackup } from '../../src/backups/write-backup.ts'
import { openOauthDatabase } from '../../src/oauth/open-oauth-database.ts'
import { ledgerMigrations } from '../../src/storage/ledger-migrations.ts'
import { moveBooks } from '../../src/storage/move/move-books.ts'
import { postgresPlace } from '../../src/storage/move/postgres-place.ts'
import { seePostgres } from '../../src/storage/move/see-postgres.ts'
import { sqlitePlace } from '../../src/storage/move/sqlite-place.ts'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { readAllRows } from '../support/all-rows.ts'
import { sell } from '../support/backed-up-shop.ts'
import { makeFullBooks } from '../support/full-books.ts'
import { runProgram } from '../support/run-program.ts'
import { databaseUrlOf, makeDatabase } from '../support/test-databases.ts'

const open = { ledger: openLedgerDatabase, oauth: openOauthDatabase, game: openGameDatabase }
const filesIn = (dataDir: string) => sqlitePlace(dataDir, open)
const databaseAt = (url: string) => postgresPlace(url, open)
const booksIn = (url: string) => databaseBooks(url, openGameDatabase)
const known = { 'ledger.db': Object.keys(ledgerMigrations), 'game.db': Object.keys(gameMigrations) }
const at = Date.UTC(2026, 10, 22, 9)
const prefix = toPrefix('hourly', at)
const say = (): void => {}
const { signal } = new AbortController()

const home = mkdtempSync(join(tmpdir(), 'farthing-backup-'))
afterAll(() => rmSync(home, { recursive: true }))
let folders = 0
function newFolder(): string {
  const folder = join(home, String(folders++))
  mkdirSync(folder)
  return folder
}

async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

const usesDatabase = async (url: string): Promise<void> => (await openLedgerDatabase('', url)).destroy()

/** A backup of a database in which every column of every table has a value, and of a key. */
let full: Awaited<ReturnType<typeof makeFullBackup>>
async function makeFullBackup() {
  const files = newFolder()
  await makeFullBooks(files)
  const rows = readAllRows(files)
  // Litestream keeps tables of its own in a file whose log it ships.
  const ledger = new DatabaseSync(join(files, 'ledger.db'))
  ledger.exec(
    'create table _litestream_seq (id integer primary key, seq integer); insert into _litestream_seq values (1, 2)',
  )
  ledger.close()
  const url = await makeDatabase()
  const tables = await moveBooks({ from: filesIn(files), to: databaseAt(url), say })
  const dataDir = newFolder()
  writeFileSync(join(dataDir, 'receipts.key'), 'what receipts are signed with')
  const folder = newFolder()
  const store = openFolderStore(folder)
  const order = { dataDir, store, prefix, tier: 'hourly', at, say } as const
  await writeBackup({ ...order, scratch: newFolder(), books: booksIn(url) })
  return { url, rows, tables, folder, store, restore: { store, prefix, known, now: at, say } }
}
beforeAll(async () => {
  full = await makeFullBackup()
})

/** Tables that a restore leaves empty: it signs everybody out, and permissions are not backed up. */
const left = ['ledger.used_sign_in', 'ledger.wallet_session', 'oauth.oauth_record']
const withoutLeft = <Entry>(entries: Iterable<readonly [string, Entry]>) =>
  [...entries].filter(([name]) => !left.includes(name))

it('has the form of any backup, and brings every value back into SQLite files', async () => {
  const manifest = await openBackup(full.store, prefix)
  expect(manifest.files.map(({ name }) => name)).toEqual(['game.db', 'ledger.db', 'receipts.key'])
  expect(manifest).toMatchObject({
    missing: ['file'],
    newestSaleAt: '1970-01-01T00:00:00.015Z',
    databases: {
      'ledger.db': { migrations: known['ledger.db'], rows: { sale: 16 }, sums: { 'sale.amount': '1600000' } },
      'game.db': { migrations: known['game.db'], rows: { input_log: 1100 } },
    },
  })
  const dataDir = newFolder()
  await restoreBackup({ ...full.restore, dataDir })
  expect(withoutLeft(readAllRows(dataDir))).toEqual(withoutLeft(full.rows))
  expect(readdirSync(dataDir).sort()).toEqual(['game.db', 'ledger.db', 'products', 'receipts.key'])
  await (await openLedgerDatabase(join(dataDir, 'ledger.db'))).destroy()
})

it('brings every value back into an empty database, and the key into the data folder', async () => {
  const url = await makeDatabase()
  const dataDir = newFolder()
  writeFileSync(join(dataDir, 'receipts.key'), 'another key')
  const { tables, aside } = await restoreIntoDatabase({ ...full.restore, dataDir, to: databaseAt(url), filesIn })
  const byName = (moved: typeof tables) => withoutLeft(moved.map((facts) => [facts.name, facts] as const))
  expect(byName(tables)).toEqual(byName(full.tables))
  expect(await ask(url, 'select count(*)::int as count from ledger.wallet_session')).toEqual([{ count: 0 }])
  expect(readFileSync(join(dataDir, 'receipts.key'), 'utf8')).toBe('what receipts are signed with')
  expect(readFileSync(join(aside, 'receipts.key'), 'utf8')).toBe('another key')
  expect(readdirSync(dataDir).filter((name) => name.startsWith('.') || name.endsWith('.db'))).toEqual([])
  await usesDatabase(url)
  // A backup of the restored database contains the same.
  const copy = newFolder()
  await booksIn(url).copy(copy, say)
  expect(withoutLeft(readAllRows(copy))).toEqual(withoutLeft(full.rows))
})

it('restores only into a database without books, and changes nothing otherwise', async () => {
  const dataDir = newFolder()
  const attempt = (url: string) => restoreIntoDatabase({ ...full.restore, dataDir, to: databaseAt(url), filesIn })
  await expect(attempt(full.url)).rejects.toThrow(
    /^there are books in the database test_\w+ at \S+; make an empty database, and name it in DATABASE_URL$/,
  )
  const used = await makeDatabase()
  const program = await openOauthDatabase('', used)
  await program.selectFrom('oauth_record').select('kind').execute()
  await expect(attempt(used)).rejects.toThrow(/^a program uses the database test_\w+ at \S+; stop it first$/)
  await program.destroy()
  expect(readdirSync(dataDir)).toEqual([])
  await attempt(used)
})

it('lets no program use a database in which a value has arrived differently', async () => {
  const url = await makeDatabase()
  await ask(
    url,
    `create function harm() returns trigger language plpgsql as 'begin new.amount := ''100001''; return new; end';
     create trigger harm before insert on ledger.sale for each row execute function harm()`,
  )
  const attempt = restoreIntoDatabase({ ...full.restore, dataDir: newFolder(), to: databaseAt(url), filesIn })
  await expect(attempt).rejects.toThrow(
    `ledger.sale is not the same on both sides; programs were not switched over, and nothing was changed in the files of the backup ${prefix}`,
  )
  await expect(usesDatabase(url)).rejects.toThrow('was interrupted')
})

it.each([
  ['while rows are copied', 'copying ledger.sale'],
  ['before the files were put in place', 'putting products and keys in place'],
])('can be restored again when it was cut off %s, and until then no program uses the database', async (_, line) => {
  const url = await makeDatabase()
  const dataDir = newFolder()
  const cut = (said: string) => {
    if (said === line) throw new Error('the power went')
  }
  const attempt = (note: (said: string) => void) =>
    restoreIntoDatabase({ ...full.restore, dataDir, to: databaseAt(url), filesIn, say: note })
  await expect(attempt(cut)).rejects.toThrow('the power went')
  await expect(usesDatabase(url)).rejects.toThrow('run npm run move again, or npm run restore if it was a restore')
  await expect(booksIn(url).copy(newFolder(), say)).rejects.toThrow('was interrupted')
  await finishRestore(dataDir)
  await attempt(say)
  await usesDatabase(url)
  expect(readFileSync(join(dataDir, 'receipts.key'), 'utf8')).toBe('what receipts are signed with')
  expect(readdirSync(dataDir).filter((name) => name.startsWith('.'))).toEqual([])
})

it('shows the state of one moment, although the shop sells while it is read', async () => {
  const dataDir = newFolder()
  await sell(dataDir, [0, 1])
  const seen = await seePostgres((await databaseUrlOf(dataDir)) ?? '')
  const tables = (await seen.books.tables()).filter(({ database }) => database === 'ledger')
  const counts = async () => {
    const found: Record<string, bigint> = {}
    for (const table of tables) found[table.name] = await seen.books.count(table)
    return found
  }
  const before = await counts()
  expect(before).toMatchObject({ payment: 2n, sale: 2n })
  await sell(dataDir, [2, 3])
  expect(await counts()).toEqual(before)
  for (const table of tables.filter(({ name }) => name === 'sale'))
    expect((await Array.fromAsync(seen.books.rows(table))).flat()).toHaveLength(2)
  await seen.books.release()
})

it('waits for a table that is being altered, which would seem to be empty', async () => {
  const url = await makeDatabase()
  await ask(url, `insert into game.daily (day, seed, rules) values ('2026-11-23', 's', 1)`)
  const changer = new pg.Client(url)
  await changer.connect()
  await changer.query('begin; alter table game.daily alter column rules type bigint using rules + 1')
  const seeing = seePostgres(url)
  const isWaiting = async () =>
    (await changer.query(`select from pg_locks where not granted and relation = 'game.daily'::regclass`)).rows.length
  await expect.poll(isWaiting).toBe(1)
  await changer.query('commit')
  await changer.end()
  const { books } = await seeing
  const daily = (await books.tables()).find(({ name }) => name === 'daily')
  expect(daily && (await Array.fromAsync(books.rows(daily))).flat()).toEqual([['2026-11-23', 2n, 's']])
  await books.release()
})

it('is made of a shop without a game, and not of tables of another version or of no tables', async () => {
  const url = await makeDatabase()
  await ask(url, 'drop schema game cascade')
  const copied = await booksIn(url).copy(newFolder(), say)
  expect(Object.keys(copied.databases)).toEqual(['ledger.db'])
  const newer = await makeDatabase()
  await ask(newer, `insert into game.kysely_migration (name, timestamp) values ('999_later', 'now')`)
  await expect(booksIn(newer).copy(newFolder(), say)).rejects.toThrow(
    'the tables of the game are of another version than this program, which cannot back them up',
  )
  await ask(newer, 'alter table ledger.player add column later text')
  await expect(booksIn(newer).copy(newFolder(), say)).rejects.toThrow('tables of the two sides differ')
  await ask(newer, 'drop schema ledger, oauth, game cascade')
  await expect(booksIn(newer).measure()).rejects.toThrow('there are no books in the database of DATABASE_URL')
})

it('is made by a job and restored by a command, with sales and products, and neither prints the password', async () => {
  const dataDir = newFolder()
  const folder = newFolder()
  await sell(dataDir, [0, 1, 2, 3])
  const url = (await databaseUrlOf(dataDir)) ?? ''
  const command = async (name: string, args: readonly string[], databaseUrl: string, place = dataDir) => {
    const settings = { DATABASE_URL: databaseUrl, DATA_DIR: place, BACKUP_DIR: folder }
    const env = { PATH: process.env['PATH'] ?? '', BASE_URL: 'http://farthing.test', ...settings }
    const options = { cwd: process.cwd(), env }
    const { status, stdout, stderr } = await runProgram(process.execPath, [`src/commands/${name}.ts`, ...args], options)
    expect(stdout + stderr).not.toContain('a-password-of-the-tests')
    return { status, said: `${stdout}${stderr}` }
  }
  const ran = await command('job', ['hourly-backup'], url)
  expect(ran.status, ran.said).toBe(0)
  const made = /"prefix":"(?<made>[^"]+)"/.exec(ran.said)?.groups?.['made'] ?? ''
  expect((await command('restore', [], url)).said).toMatch(new RegExp(`^${made} +0 minutes +\\d\\.\\d MB +4 +20`, 'm'))

  const fresh = await makeDatabase()
  const elsewhere = newFolder()
  const told = await command('restore', [made, '--dry-run'], fresh, elsewhere)
  expect(told.said).toMatch(/^ledger sale +none +4 {2}\*$/m)
  const restored = await command('restore', [made], fresh, elsewhere)
  expect(restored.status, restored.said).toBe(0)
  expect(restored.said).toMatch(/^ledger\.sale {2}4 {2}amount 400000 {2}units 0 {2}[0-9a-f]{64}$/m)
  expect(restored.said).toMatch(/^restored hourly\/\S+ into the database test_\w+ at \S+, its products and keys into /m)
  expect(readdirSync(join(elsewhere, 'products'))).toEqual(readdirSync(join(dataDir, 'products')))
  expect(existsSync(join(elsewhere, 'ledger.db'))).toBe(false)
  const sales = 'select id, amount, transaction_hash, sha256 from ledger.sale order by id'
  expect(await ask(fresh, sales)).toEqual(await ask(url, sales))
})

it('is pruned like any other, and a failed one leaves nothing', async () => {
  const folder = newFolder()
  const dataDir = newFolder()
  const backups = openBackups({
    dataDir,
    databaseUrl: 'postgres://me:a-secret@127.0.0.1:9/none',
    folder,
    now: () => at,
  })
  const failure = await backups.make('hourly', { signal }).catch((error: unknown) => String(error))
  expect(failure).toContain('the database none at 127.0.0.1:9 cannot be used: the server cannot be reached')
  expect(failure).not.toContain('a-secret')
  expect(readdirSync(folder)).toEqual([])
  expect(await backups.prune({ signal })).toEqual([])
})
