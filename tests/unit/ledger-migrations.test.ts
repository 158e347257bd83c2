import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { ledgerMigrations } from '../../src/storage/ledger-migrations.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'

it('gives up what an older program kept of the sign-in in the ledger, and keeps everything else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-ledger-'))
  const path = join(folder, 'ledger.db')
  const older = Object.fromEntries(Object.entries(ledgerMigrations).filter(([name]) => name <= '006_oauth'))
  const before = await openDatabase<object>(path, { what: 'ledger', durability: 'full', migrations: older })
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

it('is refused in one sentence to a program that is older than what used it last, and stays as it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-ledger-'))
  const path = join(folder, 'ledger.db')
  await (await openLedgerDatabase(path)).destroy()
  const older = Object.fromEntries(Object.entries(ledgerMigrations).slice(0, -1))
  await expect(openDatabase<object>(path, { what: 'ledger', durability: 'full', migrations: older })).rejects.toThrow(
    `the ledger ${path} cannot be used: a newer version of this program has used it; run that version, or restore a backup of before. Nothing was changed`,
  )
  const again = await openLedgerDatabase(path)
  expect(await again.selectFrom('payment').selectAll().execute()).toEqual([])
  await again.destroy()
  rmSync(folder, { recursive: true })
})
