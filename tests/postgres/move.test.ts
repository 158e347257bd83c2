import type { ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { openGameDatabase } from '../../game-server/storage/open-game-database.ts'
import { openOauthDatabase } from '../../src/oauth/open-oauth-database.ts'
import { moveBooks, undoMark } from '../../src/storage/move/move-books.ts'
import { postgresPlace } from '../../src/storage/move/postgres-place.ts'
import { sqlitePlace } from '../../src/storage/move/sqlite-place.ts'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { readAllRows } from '../support/all-rows.ts'
import { makeFullBooks } from '../support/full-books.ts'
import { runProgram } from '../support/run-program.ts'
import { makeDatabase } from '../support/test-databases.ts'

const open = { ledger: openLedgerDatabase, oauth: openOauthDatabase, game: openGameDatabase }
const filesIn = (dataDir: string) => sqlitePlace(dataDir, open)
const databaseAt = (url: string) => postgresPlace(url, open)
const say = (): void => {}

const folders: string[] = []
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-move-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

let filled: string | undefined
async function makeBooks(): Promise<string> {
  if (filled === undefined) {
    filled = newFolder()
    await makeFullBooks(filled)
  }
  const dataDir = newFolder()
  cpSync(filled, dataDir, { recursive: true })
  return dataDir
}

async function ask(url: string, ...statements: readonly string[]): Promise<pg.QueryResult[]> {
  const client = new pg.Client(url)
  await client.connect()
  const answers: pg.QueryResult[] = []
  for (const statement of statements) answers.push(await client.query(statement))
  await client.end()
  return answers
}

const usesFiles = async (dataDir: string): Promise<void> =>
  (await openLedgerDatabase(join(dataDir, 'ledger.db'))).destroy()
const usesDatabase = async (url: string): Promise<void> => (await openLedgerDatabase('', url)).destroy()

async function command(args: readonly string[], env: Record<string, string>, onStart?: (child: ChildProcess) => void) {
  const options = { cwd: process.cwd(), env: { PATH: process.env['PATH'] ?? '', ...env }, ...(onStart && { onStart }) }
  const { status, stdout, stderr } = await runProgram(process.execPath, ['src/commands/move.ts', ...args], options)
  const said = `${stdout}${stderr}`
  expect(said).not.toContain('a-password-of-the-tests')
  return { status, said }
}

it('carries every value of every table to PostgreSQL and back, and leaves only one side that programs can use', async () => {
  const dataDir = await makeBooks()
  const before = readAllRows(dataDir)
  for (const [table, rows] of before)
    for (const column of new Set(rows.length === 0 ? ['no row'] : rows.flatMap(Object.keys)))
      expect(
        rows.some((row) => (row[column] ?? null) !== null),
        `${table} has ${column} in full-books.ts`,
      ).toBe(true)

  const url = await makeDatabase()
  const there = await moveBooks({ from: filesIn(dataDir), to: databaseAt(url), say })
  expect(there.map(({ name, rows }) => [name, rows]).sort()).toEqual(
    [...before].map(([name, rows]) => [name, rows.length]).sort(),
  )
  expect(there.find(({ name }) => name === 'ledger.sale')?.sums).toMatchObject({ amount: '1600000' })
  const [sold] = await ask(url, `select sum(amount::numeric)::int as sum from ledger.sale`)
  expect(sold?.rows).toEqual([{ sum: 1_600_000 }])
  expect(readAllRows(dataDir)).toEqual(before)
  await expect(usesFiles(dataDir)).rejects.toThrow(
    /ledger.db cannot be used: the books were moved to the database test_\w+ at 127\.0\.0\.1:\d+; set DATABASE_URL to it, or run npm run move -- --undo to use what is still here, as it was before the move$/,
  )

  // A program that has been idle for so long that its pool has no connection.
  const idle = await openLedgerDatabase('', url)
  const elsewhere = newFolder()
  const back = await moveBooks({ from: databaseAt(url), to: filesIn(elsewhere), say })
  expect(back).toEqual(there)
  expect(readAllRows(elsewhere)).toEqual(before)
  await usesFiles(elsewhere)
  const sentence = `the books were moved to the SQLite files in ${elsewhere}; unset DATABASE_URL, or run npm run move -- --undo`
  await expect(usesDatabase(url)).rejects.toThrow(sentence)
  await expect(idle.selectFrom('sale').select('id').execute()).rejects.toThrow(sentence)
  await idle.destroy()

  await expect(undoMark(filesIn(elsewhere))).rejects.toThrow(/^nothing was moved away from the SQLite files in/)
  await undoMark(filesIn(dataDir))
  await usesFiles(dataDir)
  await undoMark(databaseAt(url))
  await usesDatabase(url)
})

it('refuses while a program uses either side, and no program can open a side that it holds', async () => {
  const dataDir = await makeBooks()
  const url = await makeDatabase()
  const attempt = () => moveBooks({ from: filesIn(dataDir), to: databaseAt(url), say })
  const program = await openLedgerDatabase(join(dataDir, 'ledger.db'))
  await expect(attempt()).rejects.toThrow(`a program uses ${join(dataDir, 'ledger.db')}; stop it first`)
  await program.destroy()
  const other = await openOauthDatabase('', url)
  await other.selectFrom('oauth_record').select('kind').execute()
  await expect(attempt()).rejects.toThrow(/^a program uses the database test_\w+ at 127\.0\.0\.1:\d+; stop it first$/)
  await other.destroy()
  const held = await databaseAt(url).hold()
  await expect(usesDatabase(url)).rejects.toThrow('cannot be used: its books are being moved; start again when')
  await held.release()

  // With --dry-run both sides are only read, so that programs may use them.
  const running = await openLedgerDatabase(join(dataDir, 'ledger.db'))
  const told = await command(['--to', url, '--dry-run'], { DATA_DIR: dataDir })
  expect(told.status, told.said).toBe(0)
  expect(told.said).toMatch(/^from the SQLite files in \S+ to the database test_\w+ at \S+ would be moved \(nothing is/)
  expect(told.said).toMatch(/^ledger\.sale {2}16$/m)
  await running.destroy()
  await usesFiles(dataDir)
  await usesDatabase(url)
})

it('moves only existing books, and only to a place without any', async () => {
  const dataDir = await makeBooks()
  const url = await makeDatabase()
  await ask(url, `insert into game.daily (day, seed) values ('2026-11-23', 's')`)
  await expect(moveBooks({ from: filesIn(dataDir), to: databaseAt(url), say })).rejects.toThrow(
    /^there are books in .* already; they can only be moved to an empty place$/,
  )
  await expect(moveBooks({ from: databaseAt(url), to: filesIn(dataDir), say })).rejects.toThrow(
    /^there are books in .* already; they can only be moved to an empty place$/,
  )
  const none = newFolder()
  await expect(moveBooks({ from: filesIn(none), to: databaseAt(await makeDatabase()), say })).rejects.toThrow(
    `there are no books in the SQLite files in ${none}`,
  )
  const refused = await command(['--too=postgres://me:a-password-of-the-tests@x/y'], { DATA_DIR: dataDir })
  expect(refused.status).toBe(1)
  await usesFiles(dataDir)
  await usesDatabase(url)
})

it.each([
  [
    'a sum of money',
    'sale',
    `new.amount := '100001'`,
    /^ledger\.sale is not the same on both sides; programs were not sw/,
  ],
  ['one bit of a product', 'payment', 'new.body := set_byte(new.body, 9, 8)', /^ledger\.payment is not the same/],
  ['a letter', 'player', `new.name := new.name || ' '`, /^ledger\.player is not the same on both sides/],
])('notices that %s did not arrive as it was', async (_, table, damage, sentence) => {
  const dataDir = await makeBooks()
  const url = await makeDatabase()
  await ask(
    url,
    `create function harm() returns trigger language plpgsql as 'begin ${damage.replaceAll("'", "''")}; return new; end'`,
    `create trigger harm before insert on ledger.${table} for each row execute function harm()`,
  )
  const attempt = () => moveBooks({ from: filesIn(dataDir), to: databaseAt(url), say })
  await expect(attempt()).rejects.toThrow(sentence)
  await expect(usesDatabase(url)).rejects.toThrow('moving the books here was interrupted; run npm run move again')
  await usesFiles(dataDir)
  // The trigger is deleted together with the tables that it has damaged.
  await attempt()
  await usesDatabase(url)
})

it('can be repeated after it was killed in the middle, and until then only the source can be used', async () => {
  const dataDir = await makeBooks()
  const before = readAllRows(dataDir)
  const url = await makeDatabase()
  const env = { DATA_DIR: dataDir, DATABASE_URL: url }
  // Blocks writes of sales, so that the move waits.
  const blocker = new pg.Client(url)
  await blocker.connect()
  await blocker.query('begin; lock table ledger.sale in share mode')
  let child: ChildProcess | undefined
  const cut = command(['--to', 'postgres'], env, (started) => {
    child = started
  })
  const isWaiting = async () => {
    const { rows } = await blocker.query(
      `select from pg_locks where not granted and relation = 'ledger.sale'::regclass`,
    )
    return rows.length
  }
  await expect.poll(isWaiting).toBe(1)
  child?.kill('SIGKILL')
  expect(await cut).toMatchObject({ status: null })
  await blocker.end()
  await expect(usesDatabase(url)).rejects.toThrow(
    /^the ledger in the database \S+ at \S+ cannot be used: moving the books here was interrupted; run npm run move/,
  )
  await usesFiles(dataDir)
  expect(readAllRows(dataDir)).toEqual(before)

  const again = await command(['--to', 'postgres'], env)
  expect(again.status, again.said).toBe(0)
  expect(again.said).toMatch(/^deleting what an interrupted move left in the database \S+ at \S+$/m)
  expect(again.said).toMatch(/^ledger\.sale {2}16 {2}amount 1600000 {2}units \d+ {2}[0-9a-f]{64}$/m)
  expect(again.said).toMatch(/^moved to the database \S+ at \S+\. Now set DATABASE_URL to the address of the database/m)
  expect(again.said).toMatch(/large products, narrations and images stay where they are/)
  await usesDatabase(url)
})

it('can be repeated after it was cut off between its last two steps', async () => {
  const dataDir = await makeBooks()
  const url = await makeDatabase()
  const move = () => moveBooks({ from: filesIn(dataDir), to: databaseAt(url), say })
  const first = await move()
  await expect(move()).rejects.toThrow(`the SQLite files in ${dataDir}: the books were moved to the database`)
  const target = await databaseAt(url).hold()
  await target.setMark({ is: 'unfinished' })
  await target.release()
  await expect(usesFiles(dataDir)).rejects.toThrow('the books were moved to')
  await expect(usesDatabase(url)).rejects.toThrow('was interrupted')
  expect(await move()).toEqual(first)
  await usesDatabase(url)
})

it('leaves files that programs refuse when the move back was cut off, and makes them anew when it is repeated', async () => {
  const url = await makeDatabase()
  const first = await moveBooks({ from: filesIn(await makeBooks()), to: databaseAt(url), say })
  const dataDir = newFolder()
  const move = (note: (line: string) => void) => moveBooks({ from: databaseAt(url), to: filesIn(dataDir), say: note })
  const cut = (line: string) => {
    if (line === 'copying game.life') throw new Error('the power went')
  }
  await expect(move(cut)).rejects.toThrow('the power went')
  for (const name of ['ledger', 'oauth', 'game'] as const)
    await expect(open[name](join(dataDir, `${name}.db`))).rejects.toThrow('moving the books here was interrupted')
  await usesDatabase(url)
  expect(await move(say)).toEqual(first)
  await usesFiles(dataDir)
})
