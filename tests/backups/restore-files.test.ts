import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { gameMigrations } from '../../game-server/storage/game-migrations.ts'
import { restoreFiles } from '../../src/backups/restore-files.ts'
import { makeWalletSessions } from '../../src/owners/wallet-sessions.ts'
import { ledgerMigrations } from '../../src/storage/ledger-migrations.ts'
import { makeShopToBackUp, newFolder, sell } from '../support/backed-up-shop.ts'
import { runProgram } from '../support/run-program.ts'
import { openTestLedger, openTestOauth } from '../support/test-databases.ts'

const at = Date.UTC(2026, 10, 22, 9)
const known = { 'ledger.db': Object.keys(ledgerMigrations), 'game.db': Object.keys(gameMigrations) }
const say = (): void => {}

function count(file: string, table: string): unknown {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    return db.prepare(`select count(*) as count from "${table}"`).get()?.['count']
  } finally {
    db.close()
  }
}

/** A shop, and what Litestream brought back of it: both databases with two more sales and a table of its own. */
async function makeTwo() {
  const dataDir = await makeShopToBackUp()
  const from = newFolder()
  for (const name of ['ledger.db', 'game.db']) copyFileSync(join(dataDir, name), join(from, name))
  await sell(from, [4, 5])
  rmSync(join(from, 'products'), { recursive: true, force: true })
  const ledger = new DatabaseSync(join(from, 'ledger.db'))
  ledger.exec('create table _litestream_seq (id integer primary key, seq integer)')
  ledger.close()
  return { dataDir, from }
}

it('puts databases in place that another tool brought back, and keeps products, keys and the replaced files', async () => {
  const { dataDir, from } = await makeTwo()
  const oauth = await openTestOauth(dataDir)
  const common = { id_hash: 'h', payload: '{}', expires_at: 4e12, created_at: 0 }
  for (const kind of ['Client', 'Grant'])
    await oauth
      .insertInto('oauth_record')
      .values({ kind, ...common })
      .execute()
  await oauth.destroy()
  const db = await openTestLedger(from)
  await makeWalletSessions({ db, now: () => at, baseUrl: 'http://farthing.test' }).begin('0xabc')
  await db.destroy()
  const [product = ''] = readdirSync(join(dataDir, 'products'))
  const key = readFileSync(join(dataDir, 'receipts.key'), 'utf8')

  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir }
  const args = ['src/commands/restore.ts', '--files', from]
  const { status, stdout, stderr } = await runProgram(process.execPath, args, { cwd: process.cwd(), env })
  expect(status, `${stderr}`).toBe(0)
  const aside = /^what was there before is in (.*)$/m.exec(`${stdout}`)?.[1] ?? ''
  expect(readdirSync(aside).sort()).toEqual(['game.db', 'ledger.db', 'oauth.db'])
  expect([dataDir, aside].map((folder) => count(join(folder, 'ledger.db'), 'sale'))).toEqual([6, 4])
  expect(count(join(dataDir, 'ledger.db'), 'wallet_session')).toBe(0)
  expect(count(join(dataDir, 'oauth.db'), 'oauth_record')).toBe(1)
  expect(readdirSync(join(dataDir, 'products'))).toEqual([product])
  expect(readFileSync(join(dataDir, 'receipts.key'), 'utf8')).toBe(key)
  expect(['ledger.db', 'game.db', 'oauth.db'].map((name) => statSync(join(dataDir, name)).mode & 0o777)).toEqual([
    0o600, 0o600, 0o600,
  ])
  await (await openTestLedger(dataDir)).destroy()
  for (const folder of [dataDir, from]) rmSync(folder, { recursive: true })
})

it('restores rows that are only in the log of a database, and keeps a database that was not brought back', async () => {
  const { dataDir, from } = await makeTwo()
  rmSync(join(from, 'game.db'))
  const torn = newFolder()
  const open = new DatabaseSync(join(from, 'ledger.db'))
  open.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; insert into readiness (id, at) values (7, 7)')
  cpSync(from, torn, { recursive: true })
  open.close()
  expect(existsSync(join(torn, 'ledger.db-wal'))).toBe(true)
  const game = readFileSync(join(dataDir, 'game.db'))
  await restoreFiles({ dataDir, from: torn, known, now: at, say })
  expect(count(join(dataDir, 'ledger.db'), 'readiness')).toBe(1)
  expect(readFileSync(join(dataDir, 'game.db'))).toEqual(game)
  for (const folder of [dataDir, from, torn]) rmSync(folder, { recursive: true })
})

it('changes nothing for files of a newer program, for a damaged one, and while Litestream has the old ones open', async () => {
  const { dataDir, from } = await makeTwo()
  const before = readdirSync(dataDir).sort()
  const sold = count(join(dataDir, 'ledger.db'), 'sale')
  const attempt = (folder = from, knows = known) => restoreFiles({ dataDir, from: folder, known: knows, now: at, say })
  await expect(attempt(newFolder())).rejects.toThrow(/^there is no ledger.db in /)
  const old = { ...known, 'ledger.db': known['ledger.db'].slice(0, 2) }
  await expect(attempt(from, old)).rejects.toThrow(/made by a newer program \(with 003_players_and_store in ledger.db/)

  const broken = newFolder()
  cpSync(from, broken, { recursive: true })
  const db = new DatabaseSync(join(broken, 'ledger.db'))
  db.exec('pragma foreign_keys = off; delete from payment')
  db.close()
  await expect(attempt(broken)).rejects.toThrow('ledger.db has rows that refer to missing rows')
  writeFileSync(join(broken, 'ledger.db'), readFileSync(join(from, 'ledger.db')).fill(7, 100, 5000))
  await expect(attempt(broken)).rejects.toThrow(/malformed|not a database/)

  const shipper = new DatabaseSync(join(dataDir, 'ledger.db'))
  shipper.exec('begin; select count(*) from sale')
  await expect(attempt()).rejects.toThrow(/^a program uses .*ledger\.db; stop it first$/)
  shipper.close()
  expect(readdirSync(dataDir).sort()).toEqual(before)
  expect(count(join(dataDir, 'ledger.db'), 'sale')).toBe(sold)
  await attempt()
  for (const folder of [dataDir, from, broken]) rmSync(folder, { recursive: true })
})
