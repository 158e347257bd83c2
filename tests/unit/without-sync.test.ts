import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nodeSqlite } from '../../src/storage/node-sqlite.ts'
import { withoutSyncMark } from '../../src/storage/without-sync.ts'

const full = 2

it('applies to one write only: the next one is synced to disk again, even after a failure', () => {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-'))
  const db = nodeSqlite(join(folder, 'ledger.db'), 'full')
  const durability = () => db.prepare('pragma synchronous').all([])
  db.prepare('create table claim (key text primary key)').run([])
  const insert = db.prepare(`insert into claim values (?) ${withoutSyncMark}`)
  expect(durability()).toEqual([{ synchronous: full }])
  insert.run(['a'])
  expect(durability()).toEqual([{ synchronous: full }])
  expect(() => insert.run(['a'])).toThrow()
  expect(durability()).toEqual([{ synchronous: full }])
  expect(db.prepare('select key from claim').all([])).toEqual([{ key: 'a' }])
  db.close()
  rmSync(folder, { recursive: true })
})
