import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { readWhenChanged } from '../../src/storage/read-when-changed.ts'
import { transact } from '../../src/storage/transact.ts'
import { isOnPostgres, openTestLedger } from '../support/test-databases.ts'

const run = {
  due_at: 1,
  origin: 'hand',
  state: 'running',
  owner: 'a',
  lease_until: 0,
  fence: 1,
  started_at: 1,
} as const
const insert = (db: LedgerDatabase, id: string) =>
  db
    .insertInto('job_run')
    .values({ ...run, id, job: id })
    .execute()

/** Two connections to one ledger, and the ids of its runs as the first one reads them; `reads` counts how often. */
async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-test-'))
  const [db, other] = [await openTestLedger(folder), await openTestLedger(folder)]
  const counted = { reads: 0 }
  const ids = readWhenChanged(db, async () => {
    counted.reads++
    const rows = await db.selectFrom('job_run').select('id').orderBy('id').execute()
    return rows.map(({ id }) => id)
  })
  return { db, other, ids, counted }
}

it('returns what it read while nobody writes, on SQLite without reading again', async () => {
  const { db, ids, counted } = await open()
  await insert(db, 'a')
  const found = [await ids(), await ids(), await ids()]
  expect(found).toEqual([['a'], ['a'], ['a']])
  expect(counted.reads).toBe(isOnPostgres() ? 3 : 1)
})

it('reads again after each kind of write by its own connection or by another one', async () => {
  const { db, other, ids } = await open()
  expect(await ids()).toEqual([])
  for (const writer of [db, other]) {
    await insert(writer, 'a')
    expect(await ids()).toEqual(['a'])
    await writer.updateTable('job_run').set({ id: 'b' }).execute()
    expect(await ids()).toEqual(['b'])
    await writer.deleteFrom('job_run').execute()
    expect(await ids()).toEqual([])
  }
})

it('never returns what a transaction wrote and took back', async () => {
  const { db, other, ids } = await open()
  for (const writer of [db, other]) {
    const failing = transact(writer, async (tx) => {
      await insert(tx, 'a')
      throw new Error('no')
    })
    const during = ids()
    await expect(failing).rejects.toThrow('no')
    expect(await during).toEqual([])
    expect(await ids()).toEqual([])
  }
})

it('reads again where something was written while it read', async () => {
  const { db, other } = await open()
  const ids = readWhenChanged(db, async () => {
    const rows = await db.selectFrom('job_run').select('id').execute()
    if (rows.length < 3) await insert(other, String(rows.length))
    return rows.length
  })
  expect([await ids(), await ids(), await ids(), await ids(), await ids()]).toEqual([0, 1, 2, 3, 3])
})

it('keeps nothing of a read that failed', async () => {
  const { db } = await open()
  let isBroken = true
  const read = readWhenChanged(db, async () => {
    if (isBroken) throw new Error('no')
    return 'found'
  })
  await expect(read()).rejects.toThrow('no')
  isBroken = false
  expect(await read()).toBe('found')
})
