import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { sha256 } from '../../src/core/sha256.ts'
import { ledgerMigrations } from '../../src/storage/ledger-migrations.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { expectNothingOfFailure } from '../support/failing-change.ts'

it('drops the sign-in data that an older program kept in the ledger, and keeps everything else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-ledger-'))
  const path = join(folder, 'ledger.db')
  const older = Object.fromEntries(Object.entries(ledgerMigrations).filter(([name]) => name <= '006_oauth'))
  const before = await openDatabase<object>(path, {
    what: 'ledger',
    schema: 'ledger',
    durability: 'full',
    migrations: older,
  })
  await sql`insert into oauth_record (kind, id_hash, payload, expires_at) values ('Grant', 'h', '{}', 1)`.execute(
    before,
  )
  await sql`insert into readiness (id, at) values (1, 5)`.execute(before)
  await before.destroy()
  const db = await openLedgerDatabase(path)
  const tables = await sql<{ name: string }>`select name from sqlite_schema where name like 'oauth%'`.execute(db)
  expect(tables.rows).toEqual([])
  expect(await db.selectFrom('readiness').selectAll().execute()).toEqual([{ id: 1, at: 5 }])
  await db.destroy()
  rmSync(folder, { recursive: true })
})

it('counts earlier sales by day, offer and path, without those that the chain has lost', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-ledger-'))
  const path = join(folder, 'ledger.db')
  const older = Object.fromEntries(Object.entries(ledgerMigrations).filter(([name]) => name < '009'))
  const before = await openDatabase<object>(path, {
    what: 'ledger',
    schema: 'ledger',
    durability: 'full',
    migrations: older,
  })
  const lateMs = Date.parse('2026-03-30T23:59:59.999Z')
  await sql`pragma foreign_keys = off`.execute(before)
  for (const [number, settledAt, amount, reversedAt] of [
    [1, lateMs, '60000', null],
    [2, lateMs + 1, '60001', null],
    [3, lateMs + 2, '100000', null],
    [4, lateMs + 3, '700000', lateMs + 9],
  ] as const)
    await sql`
      insert into sale (id, payment_key, offer_id, product, path, amount, asset, network, pay_to, payer, transaction_hash, settled_at, log_index, reversed_at)
      values (${number}, ${number}, 'pack', 'p', '/pack', ${amount}, 'a', 'n', 'b', 'c', 't', ${settledAt}, ${number}, ${reversedAt})
    `.execute(before)
  await before.destroy()
  const db = await openLedgerDatabase(path)
  const sold = { offer_id: 'pack', path: '/pack' }
  expect(await db.selectFrom('sale_total').selectAll().orderBy('day').execute()).toEqual([
    { ...sold, day: '', count: 3, micros: 220_001 },
    { ...sold, day: '2026-03-30', count: 1, micros: 60_000 },
    { ...sold, day: '2026-03-31', count: 2, micros: 160_001 },
  ])
  await db.destroy()
  rmSync(folder, { recursive: true })
})

it('records the bytes and version of earlier sales, as far as the bytes exist', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-ledger-'))
  const path = join(folder, 'ledger.db')
  const older = Object.fromEntries(Object.entries(ledgerMigrations).filter(([name]) => name < '012'))
  const before = await openDatabase<object>(path, {
    what: 'ledger',
    schema: 'ledger',
    durability: 'full',
    migrations: older,
  })
  const skill = Buffer.from('---\nname: a\nmetadata:\n  version: "1.2.0"\n---\n\nBuy.')
  const file = sha256(Buffer.from('large'))
  for (const [key, offerId, body, bodyFile] of [
    ['a skill', 'skill/a', skill, null],
    ['a bundle', 'llms-full', Buffer.from('words'), null],
    ['in a file', 'posts-export', null, file],
    ['purged', 'skill/a', null, null],
  ] as const)
    await sql`
      insert into payment (key, offer_id, product, path, fingerprint, authorization, payer, pay_to, asset, network, nonce, amount, valid_before, state, owner, lease_until, fence, body, body_file, body_bytes, transaction_hash, created_at)
      values (${key}, ${offerId}, 'p', '/p', 'f', '{}', 'a', 'b', 'c', 'n', ${key}, '1', 1, 'settled', '', 0, 1, ${body}, ${bodyFile}, 1, 't', 1)
    `.execute(before)
  await before.destroy()
  const db = await openLedgerDatabase(path)
  expect(await db.selectFrom('payment').select(['key', 'digest', 'version']).orderBy('key').execute()).toEqual([
    { key: 'a bundle', digest: sha256(Buffer.from('words')), version: null },
    { key: 'a skill', digest: sha256(skill), version: '1.2.0' },
    { key: 'in a file', digest: file, version: null },
    { key: 'purged', digest: null, version: null },
  ])
  await db.destroy()
  rmSync(folder, { recursive: true })
})

it('refuse a program that is older than the last one, in one sentence, and leave the ledger unchanged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-ledger-'))
  const path = join(folder, 'ledger.db')
  await (await openLedgerDatabase(path)).destroy()
  const older = Object.fromEntries(Object.entries(ledgerMigrations).slice(0, -1))
  await expect(
    openDatabase<object>(path, { what: 'ledger', schema: 'ledger', durability: 'full', migrations: older }),
  ).rejects.toThrow(
    `the ledger ${path} cannot be used: a newer version of this program has used it; run that version, or restore an earlier backup. Nothing was changed`,
  )
  const again = await openLedgerDatabase(path)
  expect(await again.selectFrom('payment').selectAll().execute()).toEqual([])
  await again.destroy()
  rmSync(folder, { recursive: true })
})

it('leave the ledger unchanged if one of several fails, usable by the old version and by the corrected one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-ledger-'))
  const path = join(folder, 'ledger.db')
  await expectNothingOfFailure({
    open: (migrations) =>
      openDatabase<object>(path, { what: 'ledger', schema: 'ledger', durability: 'full', migrations }),
    complaint: `the ledger ${path} cannot be used: no such table: nowhere`,
    hasHalf: async (db) =>
      (await sql`select name from sqlite_schema where name = 'half_made'`.execute(db)).rows.length > 0,
  })
  await (await openLedgerDatabase(path)).destroy()
  rmSync(folder, { recursive: true })
})
