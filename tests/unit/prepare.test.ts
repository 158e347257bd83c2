import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { openDatabase } from '../../src/storage/open-database.ts'
import { type Places, prepare } from '../../src/storage/prepare.ts'
import { transact } from '../../src/storage/transact.ts'

interface Schema {
  note: { id: number; text: string | null; bytes: Uint8Array | null }
}

const migrations = {
  '001_notes': {
    async up(db: Kysely<unknown>) {
      const table = db.schema.createTable('note').addColumn('id', 'integer').addColumn('text', 'text')
      await table.addColumn('bytes', 'blob').execute()
    },
  },
}

const open = () => openDatabase<Schema>(':memory:', { what: 'notes', schema: 'notes', durability: 'full', migrations })

it('prepares a statement once for each database, and binds other values each time', async () => {
  let written = 0
  const insert = prepare((db: Kysely<Schema>, { id, text, bytes }: Places<Schema['note']>) => {
    written++
    return db.insertInto('note').values({ id, text, bytes }).returningAll()
  })
  const find = prepare((db: Kysely<Schema>, { id, text }: Places<{ id: number; text: string }>) =>
    db.selectFrom('note').selectAll().where('id', 'in', [id]).where('text', '=', text).where('id', '<', 99),
  )
  const [one, other] = [await open(), await open()]
  const first = { id: 1, text: 'first', bytes: Uint8Array.of(1, 2) }
  expect((await insert(one, first)).rows).toEqual([first])
  expect((await insert(one, { id: 2, text: 'second', bytes: null })).rows).toHaveLength(1)
  expect((await insert(other, { id: 3, text: null, bytes: null })).rows).toEqual([{ id: 3, text: null, bytes: null }])
  expect(written).toBe(2)
  expect((await find(one, { id: 1, text: 'first' })).rows).toEqual([first])
  expect((await find(one, { id: 1, text: "' or 1 = 1 --" })).rows).toEqual([])
  expect((await find(other, { id: 1, text: 'first' })).rows).toEqual([])
})

it('rolls back what was executed within a transaction', async () => {
  const db = await open()
  const insert = prepare((any: Kysely<Schema>, { id }: Places<{ id: number }>) =>
    any.insertInto('note').values({ id, text: 'gone', bytes: null }),
  )
  const failing = transact(db, async (tx) => {
    expect((await insert(tx, { id: 1 })).numAffectedRows).toBe(1n)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await db.selectFrom('note').selectAll().execute()).toEqual([])
})
