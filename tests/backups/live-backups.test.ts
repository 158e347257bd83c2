import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { gameMigrations } from '../../game-server/storage/game-migrations.ts'
import { checkBackup } from '../../src/backups/check-backup.ts'
import { openFolderStore } from '../../src/backups/folder-store.ts'
import { listBackups } from '../../src/backups/list-backups.ts'
import { openBackups } from '../../src/backups/make-backup.ts'
import { pruneBackups } from '../../src/backups/prune-backups.ts'
import { restoreBackup } from '../../src/backups/restore-backup.ts'
import { ledgerMigrations } from '../../src/storage/ledger-migrations.ts'
import { makeShopToBackUp, newFolder } from '../support/backed-up-shop.ts'
import { figure, limitMs } from '../support/figures.ts'
import { canMount, smallDisks } from '../support/small-disk.ts'

const rounds = figure(2, 12)
const kills = figure(2, 40)
const { signal } = new AbortController()
const known = { 'ledger.db': Object.keys(ledgerMigrations), 'game.db': Object.keys(gameMigrations) }

const children = new Set<ChildProcess>()
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})

/** Starts a program of these tests, and waits for its first output. */
async function start(program: string, args: readonly string[]) {
  const child = spawn(process.execPath, [`tests/backups/${program}.ts`, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await once(child.stdout, 'data')
  return { child, output: () => output }
}

const count = (db: DatabaseSync, query: string): unknown => Object.values(db.prepare(query).get() ?? {})[0]

it(`a backup that is made while two programs write contains everything that it refers to (${rounds} times)`, {
  timeout: limitMs(600_000, 1_200_000),
}, async () => {
  const dataDir = await makeShopToBackUp()
  const folder = newFolder()
  await Promise.all(['site', 'game'].map((as) => start('shop-writer', [dataDir, as])))
  const backups = openBackups({ dataDir, folder, now: Date.now })
  let worlds: unknown = 0
  for (let round = 0; round < rounds; round++) {
    const { prefix, missing } = await backups.make('hourly', { signal })
    expect(missing).toEqual([])
    const restored = newFolder()
    await restoreBackup({ dataDir: restored, store: openFolderStore(folder), prefix, known, now: 0, say: () => {} })
    const db = new DatabaseSync(join(restored, 'ledger.db'))
    db.exec(`attach '${join(restored, 'game.db')}' as game`)
    const paid = `select substr(ref, 1, instr(ref, '/') - 1) from credit_entry where reason = 'depth'`
    expect(count(db, `select count(*) from (${paid} except select id from game.realm) where true`)).toBe(0)
    expect(count(db, `select count(*) from game.seat where paid_depth = 2 and realm not in (${paid})`)).toBe(0)
    const products = new Set(readdirSync(join(restored, 'products')))
    for (const { name } of db.prepare('select body_file as name from payment where body_file is not null').all())
      expect(products).toContain(name)
    const seen = count(db, 'select count(*) from game.realm')
    expect(seen).toBeGreaterThan(Number(worlds))
    worlds = seen
    db.close()
    rmSync(restored, { recursive: true })
  }
  for (const child of children) {
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  for (const each of [dataDir, folder]) rmSync(each, { recursive: true })
})

it('a backup waits for a write of the game that has begun, and does not hold up the next one for long', async () => {
  const dataDir = await makeShopToBackUp()
  const folder = newFolder()
  const game = new DatabaseSync(join(dataDir, 'game.db'), { timeout: 1000 })
  const open = (id: string) =>
    game.exec(`insert into realm (id, mode, seed, rules, opened_at) values ('${id}', 'open', 's', 1, 1)`)
  game.exec('begin immediate')
  open('before')
  const held: Promise<void>[] = []
  const onProgress = (line: string) => {
    if (line !== 'copying the databases') return
    held.push(
      delay(300)
        .then(() => game.exec('commit'))
        .then(() => delay(20))
        .then(() => open('after')),
    )
  }
  const { prefix, rows } = await openBackups({ dataDir, folder, now: Date.now }).make('hourly', { signal, onProgress })
  await Promise.all(held)
  expect(rows['game.realm']).toBeGreaterThanOrEqual(2)
  expect(held).toHaveLength(1)
  await checkBackup(openFolderStore(folder), prefix)
  game.close()
  for (const each of [dataDir, folder]) rmSync(each, { recursive: true })
})

it(`lists only whole backups and every one that was reported, when it is killed while it makes one (${kills} times)`, {
  timeout: limitMs(600_000, 1_200_000),
}, async () => {
  const dataDir = await makeShopToBackUp()
  const folder = newFolder()
  const store = openFolderStore(folder)
  const reported: string[] = []
  for (let kill = 0; kill < kills; kill++) {
    const { child, output } = await start('backup-maker', [dataDir, folder])
    await delay(Math.random() * 600)
    child.kill('SIGKILL')
    await once(child, 'close')
    reported.push(
      ...output()
        .split('\n')
        .flatMap((line) => (line.startsWith('made ') ? [line.slice(5)] : [])),
    )
  }
  const listed = (await listBackups(store)).map(({ prefix }) => prefix)
  for (const prefix of listed) await checkBackup(store, prefix)
  expect(listed).toEqual(expect.arrayContaining(reported))
  // Once no process can be writing to them any more, unfinished backups are deleted.
  await pruneBackups(store, Date.now() + 2 * 60 * 60 * 1000)
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
  expect(new Set((await store.list('hourly/')).map(({ key }) => key.slice(0, key.lastIndexOf('/'))))).toEqual(
    new Set(listed.slice(0, 48)),
  )
  for (const each of [dataDir, folder]) rmSync(each, { recursive: true })
})

describe.runIf(canMount)('when the disk of the backups is full', () => {
  it('makes no backup, leaves no part of it, and makes the next one when there is space', async () => {
    const dataDir = await makeShopToBackUp()
    const [, makeDisk] = smallDisks[0] ?? []
    const disk = makeDisk?.()
    if (!disk) throw new Error('there is no small disk')
    const backups = openBackups({ dataDir, folder: join(disk.folder, 'backups'), now: Date.now })
    const store = openFolderStore(join(disk.folder, 'backups'))
    for (const [leaves, complaint] of [
      [100_000, /^a backup needs \d+ MB in .*, and there are 0; free some space or set BACKUP_DIR$/],
      // Space for the databases, but not for the product as well.
      [1_600_000, /^a backup with one more product needs \d+ MB in .*; free some space or set BACKUP_DIR$/],
    ] as const) {
      disk.fill(0, leaves)
      await expect(backups.make('hourly', { signal })).rejects.toThrow(complaint)
      disk.free(0)
      expect(await store.list('hourly/')).toEqual([])
    }
    const { prefix } = await backups.make('hourly', { signal })
    await checkBackup(store, prefix)
    disk.remove()
    rmSync(dataDir, { recursive: true })
  })
})
