import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statfsSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { gameMigrations } from '../../game-server/storage/game-migrations.ts'
import { checkBackup } from '../../src/backups/check-backup.ts'
import { openBackups } from '../../src/backups/make-backup.ts'
import { seeStorage } from '../../src/backups/overview.ts'
import { pruneBackups } from '../../src/backups/prune-backups.ts'
import { restoreBackup } from '../../src/backups/restore-backup.ts'
import { openStoredBackups } from '../../src/backups/stored-backups.ts'
import { readConfig } from '../../src/config/config.ts'
import { measureStorage } from '../../src/operator/storage-use.ts'
import { makeStoredProducts } from '../../src/payments/ledger/stored-products.ts'
import { ledgerMigrations } from '../../src/storage/ledger-migrations.ts'
import { openObjectStore } from '../../src/storage/objects/open-object-store.ts'
import { makeShopToBackUp, newFolder } from '../support/backed-up-shop.ts'
import { type ObjectServer, startObjectServer } from '../support/object-server.ts'
import { canMount, mountMemory } from '../support/small-disk.ts'

const known = { 'ledger.db': Object.keys(ledgerMigrations), 'game.db': Object.keys(gameMigrations) }
const at = Date.UTC(2026, 10, 22, 9)
const { signal } = new AbortController()
const dayMs = 24 * 60 * 60 * 1000

let server: ObjectServer
const folders: string[] = []
const folderOf = () => {
  const folder = newFolder()
  folders.push(folder)
  return folder
}
beforeAll(async () => {
  server = await startObjectServer()
})
afterEach(() => server.heal())
afterAll(async () => {
  await server.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A shop whose large product and whose backups are in the storage. */
async function makeStoredHouse(prefix: string, scratchOf = (dataDir: string) => join(dataDir, 'backups')) {
  const dataDir = await makeShopToBackUp(folderOf())
  const { storage } = readConfig(server.env(prefix))
  if (!storage) throw new Error('no storage')
  const objects = openObjectStore(storage)
  const folder = join(dataDir, 'products')
  const names = readdirSync(folder)
  await makeStoredProducts({ objects, folder }).keepOnly(new Set(names))
  const { keys, ...place } = storage
  const scratch = scratchOf(dataDir)
  const store = openStoredBackups(objects, scratch)
  const passed = { ...place, keys: keys(), owner: 'the ledger of the test', keepsBackups: true }
  const backups = openBackups({ dataDir, folder: scratch, now: () => at, stored: { storage: passed, store } })
  return { dataDir, names, scratch, store, backups, objects }
}

const rowsOf = (dataDir: string) => {
  const db = new DatabaseSync(join(dataDir, 'ledger.db'), { readOnly: true })
  const rows = db.prepare('select * from payment order by key').all()
  db.close()
  return rows
}
const below = (start: string) => server.keys().filter((key) => key.startsWith(start))

it.runIf(canMount)('needs no disk space for products that are stored in the storage', async () => {
  const { folder, remove } = mountMemory('size=16m')
  const { dataDir, names, backups } = await makeStoredHouse('far', () => folder)
  const { bavail, bsize } = statfsSync(folder)
  // Larger than the free space where the databases are copied. The name of a product is its digest.
  const bytes = Buffer.alloc(bavail * bsize, 'a')
  const name = createHash('sha256').update(bytes).update('\0').digest('hex')
  writeFileSync(join(dataDir, 'products', name), bytes)
  const ledger = new DatabaseSync(join(dataDir, 'ledger.db'))
  ledger.prepare('update payment set body_file = ? where body_file = ?').run(name, names[0] ?? '')
  ledger.close()
  const { prefix } = await backups.make('hourly', { signal })
  expect(below(`far/backups/${prefix}/`)).toContain(`far/backups/${prefix}/manifest.json`)
  expect(below('far/backups/products/')).toContain(`far/backups/products/${name}`)
  remove()
})

describe('a backup in the storage', () => {
  let shop: Awaited<ReturnType<typeof makeStoredHouse>>
  beforeAll(async () => {
    shop = await makeStoredHouse('whole')
  })

  it('stays if it was finished and only its overview could not be written, and the job says why', async () => {
    const { backups, store } = await makeStoredHouse('untold')
    server.fail(({ method, key }) =>
      method === 'PUT' && key.endsWith('overview.json')
        ? { is: 'refused', status: 403, code: 'AccessDenied' }
        : undefined,
    )
    await expect(backups.make('hourly', { signal })).rejects.toThrow('does not allow this to the key')
    await checkBackup(store, 'hourly/2026-11-22T090000Z')
  })

  it('contains what is on the machine and what is in the storage, and can be restored on another machine', async () => {
    const { dataDir, names, scratch, store, backups, objects } = shop
    expect(await seeStorage(objects).findNewest(at)).toBeUndefined()
    expect(readdirSync(join(dataDir, 'products'))).toEqual([])
    let asked = 0
    server.fail(() => (++asked % 7 === 0 ? { is: 'refused', status: 503, code: 'SlowDown' } : undefined))
    const report = await backups.make('hourly', { signal })
    expect(report).toMatchObject({ prefix: 'hourly/2026-11-22T090000Z', missing: [] })
    server.heal()
    expect(below('whole/backups/')).toEqual(
      [
        ...['game.db.zst', 'ledger.db.zst', 'manifest.json', 'receipts.key', 'resume-tokens.key'].map(
          (name) => `${report.prefix}/${name}`,
        ),
        'overview.json',
        ...names.map((name) => `products/${name}`),
      ].map((name) => `whole/backups/${name}`),
    )
    expect(readdirSync(scratch)).toEqual([])
    await checkBackup(store, report.prefix)

    const elsewhere = folderOf()
    await restoreBackup({ dataDir: elsewhere, store, prefix: report.prefix, known, now: at, say: () => {} })
    expect(rowsOf(elsewhere)).toEqual(rowsOf(dataDir))
    expect(readdirSync(join(elsewhere, 'products'))).toEqual(names)
    const products = makeStoredProducts({ objects, folder: join(elsewhere, 'products') })
    expect((await products.read({ body: null, file: names[0] ?? '' })).length).toBe(1_600_000)
  })

  it('is found without a list of the bucket', async () => {
    const { dataDir, objects } = shop
    const seen = seeStorage(objects)
    const before = server.requests.length
    expect(await seen.findNewest(at)).toBe(at)
    const { parts, backups: told } = await measureStorage(dataDir, seen)
    expect(told).toEqual([{ prefix: 'hourly/2026-11-22T090000Z', bytes: expect.any(Number) }])
    expect(parts.find(({ name }) => name === 'backups')?.bytes).toBeGreaterThan(1_600_000)
    expect(server.requests.slice(before).some(({ query }) => query.has('list-type'))).toBe(false)
    server.fail(() => ({ is: 'refused', status: 403, code: 'AccessDenied' }))
    expect((await measureStorage(dataDir, seen)).backups).toBeUndefined()
  })

  it('that could not be finished is not listed, and leaves nothing on the machine', async () => {
    const { scratch, store, backups } = await makeStoredHouse('cut')
    server.fail(({ key, method }) =>
      method === 'PUT' && key.endsWith('manifest.json')
        ? { is: 'refused', status: 403, code: 'AccessDenied' }
        : undefined,
    )
    await expect(backups.make('hourly', { signal })).rejects.toThrow('does not allow this to the key')
    server.heal()
    expect(await store.list('hourly/')).toEqual([])
    expect(readdirSync(scratch)).toEqual([])
  })

  it('that could not be finished says why, even if its files cannot be removed', async () => {
    const { backups } = await makeStoredHouse('stuck')
    server.fail(({ key, method }) => {
      if (method === 'PUT' && key.endsWith('manifest.json'))
        return { is: 'refused', status: 507, code: 'QuotaExceeded' }
      return method === 'DELETE' ? { is: 'refused', status: 403, code: 'AccessDenied' } : undefined
    })
    await expect(backups.make('hourly', { signal })).rejects.toThrow(
      /507 \(QuotaExceeded\); what was begun, hourly\/\S+, was not removed: .*does not allow this to the key/,
    )
  })

  it('is called damaged when one of its files is missing or another', async () => {
    const { store } = shop
    const prefix = 'hourly/2026-11-22T090000Z'
    writeFileSync(server.fileOf(`whole/backups/${prefix}/ledger.db.zst`), 'something else')
    await expect(checkBackup(store, prefix)).rejects.toThrow('ledger.db of the backup is damaged')
    await store.remove(`${prefix}/ledger.db.zst`)
    await expect(checkBackup(store, prefix)).rejects.toThrow('ledger.db of the backup is damaged')
    await expect(checkBackup(store, 'daily/2026-11-22T090000Z')).rejects.toThrow('there is no backup')
  })
})

it('a file that was too large to be sent with a checksum can be verified, and one changed byte is detected', async () => {
  const { store, objects } = await makeStoredHouse('large')
  const key = 'hourly/2026-11-22T090000Z/ledger.db.zst'
  const bytes = Buffer.alloc(9 * 1024 * 1024, 'a')
  await store.write(key, Readable.from([bytes]))
  expect(await objects.head(`backups/${key}`)).toMatchObject({ bytes: bytes.length, sha256: undefined })
  const written = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  expect(await store.holds(key, written)).toBe(true)
  bytes[1_000_000] = 0
  writeFileSync(server.fileOf(`large/backups/${key}`), bytes)
  expect(await store.holds(key, written)).toBe(false)
})

it('pruning aborts old uploads that were cut off, which nobody sees and the operator pays for', async () => {
  const { store } = await makeStoredHouse('parts')
  server.fail(({ query }) => (query.has('uploadId') ? { is: 'refused', status: 403, code: 'AccessDenied' } : undefined))
  const sent = store.write('hourly/2026-11-22T090000Z/ledger.db.zst', Readable.from([Buffer.alloc(9 * 1024 * 1024)]))
  await expect(sent).rejects.toThrow('the storage does not allow this to the key')
  server.heal()
  await pruneBackups(store, Date.now())
  expect(server.openUploads()).toBe(1)
  await pruneBackups(store, Date.now() + dayMs)
  expect(server.openUploads()).toBe(0)
})

it('pruning deletes unfinished backups and products that no backup names, once they are old', async () => {
  const { names, store, backups, scratch, objects } = await makeStoredHouse('pruned')
  const { prefix } = await backups.make('monthly', { signal })
  const left = ['hourly/2026-11-22T100000Z/ledger.db.zst', `products/${'0'.repeat(64)}`]
  for (const key of left) await objects.put(`backups/${key}`, Buffer.from('half'))
  const files = await store.list('')
  expect(await pruneBackups(store, Date.now())).toEqual([])
  expect(await store.list('')).toEqual(files)
  for (const key of below('pruned/backups/'))
    utimesSync(server.fileOf(key), (Date.now() - dayMs) / 1000, (Date.now() - dayMs) / 1000)
  expect(await pruneBackups(store, Date.now())).toEqual([])
  const kept = (await store.list('')).map(({ key }) => key)
  expect(kept).toEqual(files.map(({ key }) => key).filter((key) => !left.includes(key)))
  expect([kept.includes(`products/${names[0]}`), kept.some((key) => key.startsWith(prefix))]).toEqual([true, true])
  expect(existsSync(scratch)).toBe(true)
})

it('pruning deletes nothing because the storage sent a page instead of its list', async () => {
  const { store, backups } = await makeStoredHouse('paged')
  await backups.make('monthly', { signal })
  for (const key of below('paged/backups/'))
    utimesSync(server.fileOf(key), (Date.now() - dayMs) / 1000, (Date.now() - dayMs) / 1000)
  const files = await store.list('')
  for (let shown = 1; shown <= 10; shown++) {
    let lists = 0
    server.fail(({ query }) => (query.has('list-type') && ++lists === shown ? { is: 'page' } : undefined))
    expect(await pruneBackups(store, Date.now())).toEqual([])
    server.heal()
    expect(await store.list(''), `page ${shown}`).toEqual(files)
  }
})
