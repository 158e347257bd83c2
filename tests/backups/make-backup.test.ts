import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { gameMigrations } from '../../game-server/storage/game-migrations.ts'
import { checkBackup } from '../../src/backups/check-backup.ts'
import { checkDatabases } from '../../src/backups/check-databases.ts'
import { openFolderStore } from '../../src/backups/folder-store.ts'
import { listBackups } from '../../src/backups/list-backups.ts'
import { openBackups } from '../../src/backups/make-backup.ts'
import { ledgerMigrations } from '../../src/storage/ledger-migrations.ts'
import { backUpShop, makeShopToBackUp, newFolder, sell } from '../support/backed-up-shop.ts'
import { figure } from '../support/figures.ts'
import { canMount, mountMemory } from '../support/small-disk.ts'

const flips = figure(100, 1000)
const signal = new AbortController().signal
const at = Date.UTC(2026, 10, 22, 9)

/** What a backup says of the databases of a data folder. */
async function describeHouse(dataDir: string) {
  const folder = newFolder()
  const prefix = await backUpShop(dataDir, folder)
  const { databases } = await checkBackup(openFolderStore(folder), prefix)
  rmSync(folder, { recursive: true })
  return databases
}

/** The files and folders below a folder, each with its permissions in octal. */
const listModes = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${path} ${(statSync(join(folder, path)).mode & 0o777).toString(8)}`)
    .sort()

it('contains every table of both programs, the products and the keys, and only its owner can read it', async () => {
  const dataDir = await makeShopToBackUp()
  const folder = join(dataDir, 'backups')
  const lines: string[] = []
  const onProgress = (line: string) => void lines.push(line)
  const report = await openBackups({ dataDir, folder, now: () => at }).make('hourly', { signal, onProgress })
  expect(report).toMatchObject({ prefix: 'hourly/2026-11-22T090000Z', missing: [] })
  expect(report.rows).toMatchObject({
    'ledger.payment': 4,
    'ledger.sale': 4,
    'ledger.player': 3,
    'ledger.entitlement': 4,
    'ledger.credit_entry': 1,
    'ledger.job_run': 0,
    'game.realm': 1,
  })
  expect(report.tables).toBe(Object.keys(report.rows).length)
  expect(report.totalBytes).toBeGreaterThan(1_100_000)
  expect(lines.length).toBeGreaterThan(2)
  const product = readdirSync(join(dataDir, 'products'))[0]
  expect(listModes(folder)).toEqual([
    'hourly 700',
    'hourly/2026-11-22T090000Z 700',
    'hourly/2026-11-22T090000Z/game.db.zst 600',
    'hourly/2026-11-22T090000Z/ledger.db.zst 600',
    'hourly/2026-11-22T090000Z/manifest.json 600',
    'hourly/2026-11-22T090000Z/receipts.key 600',
    'hourly/2026-11-22T090000Z/resume-tokens.key 600',
    'products 700',
    `products/${product} 600`,
  ])
  const [listed] = await listBackups(openFolderStore(folder))
  expect(listed?.manifest).toMatchObject({
    tier: 'hourly',
    createdAt: '2026-11-22T09:00:00.000Z',
    databases: {
      'ledger.db': {
        migrations: Object.keys(ledgerMigrations),
        sums: {
          'sale.amount': '400000',
          'payment.amount': '400000',
          'credit_entry.amount': '2',
          'player.credits': '2',
        },
      },
      'game.db': { migrations: Object.keys(gameMigrations), rows: { realm: 1 } },
    },
  })
  rmSync(dataDir, { recursive: true })
})

it('stores a product once, however many backups it is in, and again when it was damaged', async () => {
  const dataDir = await makeShopToBackUp()
  const folder = newFolder()
  const backups = openBackups({ dataDir, folder, now: () => at })
  await backups.make('hourly', { signal })
  const [product = ''] = readdirSync(join(folder, 'products'))
  const kept = join(folder, 'products', product)
  const { ino } = statSync(kept)
  // A backup in the same second gets the name of the next one.
  expect((await backups.make('hourly', { signal })).prefix).toBe('hourly/2026-11-22T090001Z')
  expect(statSync(kept).ino).toBe(ino)
  writeFileSync(kept, 'something else')
  const { prefix } = await backups.make('hourly', { signal })
  await checkBackup(openFolderStore(folder), prefix)
  expect(readFileSync(kept)).toEqual(readFileSync(join(dataDir, 'products', product)))
  for (const each of [dataDir, folder]) rmSync(each, { recursive: true })
})

it('reports products that were missing before, and backs up everything else', async () => {
  const dataDir = await makeShopToBackUp()
  const folder = newFolder()
  const [product = ''] = readdirSync(join(dataDir, 'products'))
  rmSync(join(dataDir, 'products', product))
  const report = await openBackups({ dataDir, folder, now: () => at }).make('daily', { signal })
  expect(report.missing).toEqual([product])
  await checkBackup(openFolderStore(folder), report.prefix)
  for (const each of [dataDir, folder]) rmSync(each, { recursive: true })
})

it.runIf(canMount)('leaves the last space of a disk to sales, however many products there are to back up', async () => {
  const dataDir = await makeShopToBackUp()
  const { folder, remove } = mountMemory('size=16m')
  const backups = openBackups({ dataDir, folder, now: () => at })
  const [product = ''] = readdirSync(join(dataDir, 'products'))
  const { bavail, bsize } = statfsSync(folder)
  // As large as the space that is left beside the databases. The name of a product is its digest.
  const bytes = Buffer.alloc(bavail * bsize - 500_000, 'a')
  const name = createHash('sha256').update(bytes).update('\0').digest('hex')
  writeFileSync(join(dataDir, 'products', name), bytes)
  const ledger = new DatabaseSync(join(dataDir, 'ledger.db'))
  const { changes } = ledger.prepare('update payment set body_file = ? where body_file = ?').run(name, product)
  ledger.close()
  expect(changes).toBe(1)
  await expect(backups.make('hourly', { signal })).rejects.toThrow(
    /^a backup with one more product needs \d+ MB in .*, and there are \d+; free some space or set BACKUP_DIR$/,
  )
  expect(existsSync(join(folder, 'products', name))).toBe(false)
  expect(statfsSync(folder).bavail).toBe(bavail)
  remove()
  rmSync(dataDir, { recursive: true })
})

it('fails when a product exists and cannot be read, rather than leave it out', async () => {
  const dataDir = await makeShopToBackUp()
  const folder = newFolder()
  const [product = ''] = readdirSync(join(dataDir, 'products'))
  const file = join(dataDir, 'products', product)
  rmSync(file)
  // The link leads to itself, so that nothing can tell whether the product exists, as without permissions.
  symlinkSync(file, file)
  const backups = openBackups({ dataDir, folder, now: () => at })
  await expect(backups.make('hourly', { signal })).rejects.toThrow('ELOOP')
  expect(existsSync(join(folder, 'hourly'))).toBe(false)
  for (const each of [dataDir, folder]) rmSync(each, { recursive: true })
})

it('works for a shop without a game, and not without a ledger', async () => {
  const dataDir = newFolder()
  const folder = newFolder()
  const backups = openBackups({ dataDir, folder, now: () => at })
  await expect(backups.make('hourly', { signal })).rejects.toThrow(/there is no ledger in .*; set DATA_DIR/)
  await sell(dataDir, [0])
  const { rows } = await backups.make('hourly', { signal })
  expect(Object.keys(rows).some((table) => table.startsWith('game.'))).toBe(false)
  for (const each of [dataDir, folder]) rmSync(each, { recursive: true })
})

it(`detects a backup in which any byte was changed (${flips} times)`, async () => {
  const dataDir = await makeShopToBackUp()
  const folder = newFolder()
  const prefix = await backUpShop(dataDir, folder)
  const store = openFolderStore(folder)
  const files = (await store.list('')).map(({ key }) => join(folder, key))
  expect(files).toHaveLength(6)
  const missed: string[] = []
  for (let flip = 0; flip < flips; flip++) {
    const file = files[flip % files.length] ?? ''
    const bytes = readFileSync(file)
    const changed = Buffer.from(bytes)
    const where = Math.floor(Math.random() * bytes.length)
    changed.writeUInt8(changed.readUInt8(where) ^ (1 << Math.floor(Math.random() * 8)), where)
    writeFileSync(file, changed)
    const error = await checkBackup(store, prefix).catch((reason: unknown) => reason)
    if (!(error instanceof Error && error.name === 'DamagedBackup')) missed.push(`${file} at ${where}`)
    writeFileSync(file, bytes)
  }
  expect(missed).toEqual([])
  await checkBackup(store, prefix)
  for (const each of [dataDir, folder]) rmSync(each, { recursive: true })
})

it('detects a database that comes out with other rows or sums than it had', async () => {
  const dataDir = await makeShopToBackUp()
  const kept = await describeHouse(dataDir)
  checkDatabases(dataDir, kept)
  const changes = [
    ['ledger.db', `update sale set amount = '100001' where rowid = 1`],
    ['ledger.db', 'update player set credits = credits + 1'],
    ['ledger.db', 'delete from entitlement where rowid = 1'],
    ['game.db', 'delete from realm'],
  ] as const
  for (const [name, change] of changes) {
    const changed = newFolder()
    cpSync(dataDir, changed, { recursive: true })
    const db = new DatabaseSync(join(changed, name))
    db.exec(change)
    db.close()
    expect(() => checkDatabases(changed, kept), change).toThrow(`${name} has other rows or sums`)
    rmSync(changed, { recursive: true })
  }
  rmSync(dataDir, { recursive: true })
})

it('contains a product that was deleted while the databases were copied', async () => {
  const dataDir = await makeShopToBackUp()
  const folder = newFolder()
  const say = (line: string) => {
    if (line === 'copying the databases') rmSync(join(dataDir, 'products'), { recursive: true })
  }
  const prefix = await backUpShop(dataDir, folder, say)
  const manifest = await checkBackup(openFolderStore(folder), prefix)
  expect(manifest.missing).toEqual([])
  expect(manifest.files.filter(({ name }) => name.startsWith('products/'))).toHaveLength(1)
  for (const each of [dataDir, folder]) rmSync(each, { recursive: true })
})

it('detects a backup that lacks a file or half of one', async () => {
  const dataDir = await makeShopToBackUp()
  const folder = newFolder()
  const prefix = await backUpShop(dataDir, folder)
  const store = openFolderStore(folder)
  for (const { key } of await store.list('')) {
    const bytes = readFileSync(join(folder, key))
    writeFileSync(join(folder, key), bytes.subarray(0, bytes.length / 2))
    await expect(checkBackup(store, prefix), key).rejects.toThrow(/cannot be read|not what was written|damaged/)
    rmSync(join(folder, key))
    await expect(checkBackup(store, prefix), key).rejects.toThrow(/cannot be read|there is no backup/)
    writeFileSync(join(folder, key), bytes)
  }
  for (const each of [dataDir, folder]) rmSync(each, { recursive: true })
})

it('begins nothing that is aborted already, and leaves no part of a backup that is aborted on the way', async () => {
  const dataDir = await makeShopToBackUp()
  const folder = newFolder()
  const backups = openBackups({ dataDir, folder, now: () => at })
  const stopped = AbortSignal.abort(new Error('stopped'))
  await expect(backups.make('hourly', { signal: stopped })).rejects.toThrow('stopped')
  for (const line of ['copying the databases', 'unpacking and comparing']) {
    let failure: unknown
    while (failure === undefined) {
      const stop = new AbortController()
      const onProgress = (said: string) => {
        if (said === line) stop.abort(new Error(`stopped at ${line}`))
      }
      failure = await backups.make('hourly', { signal: stop.signal, onProgress }).then(
        // On a busy machine all may be done before this process hears what is being done: then the backup is whole.
        async ({ prefix }) => {
          await checkBackup(openFolderStore(folder), prefix)
          rmSync(folder, { recursive: true })
          mkdirSync(folder)
        },
        (error: unknown) => error,
      )
    }
    expect(failure).toMatchObject({ message: `stopped at ${line}` })
    expect(readdirSync(folder).filter((name) => name !== 'products' && name !== 'hourly')).toEqual([])
    expect(await listBackups(openFolderStore(folder))).toEqual([])
  }
  for (const each of [dataDir, folder]) rmSync(each, { recursive: true })
})
