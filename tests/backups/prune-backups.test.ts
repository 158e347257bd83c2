import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { type BackupTier, toPrefix } from '../../src/backups/backup-tiers.ts'
import { checkBackup } from '../../src/backups/check-backup.ts'
import { openFolderStore } from '../../src/backups/folder-store.ts'
import { keepProducts } from '../../src/backups/keep-products.ts'
import { listBackups } from '../../src/backups/list-backups.ts'
import { openBackups } from '../../src/backups/make-backup.ts'
import { toManifestText } from '../../src/backups/manifest.ts'
import { folderProducts } from '../../src/backups/product-source.ts'
import { pruneBackups } from '../../src/backups/prune-backups.ts'
import { writeBackup } from '../../src/backups/write-backup.ts'
import { StorageFailed } from '../../src/storage/objects/storage-failed.ts'
import { backUpShop, makeShopToBackUp, newFolder } from '../support/backed-up-shop.ts'
import { figure, seed } from '../support/figures.ts'

const numRuns = figure(20, 2000)
const keeps: Record<BackupTier, number> = { hourly: 48, daily: 14, weekly: 8, monthly: 24 }
const noon = Date.UTC(2026, 10, 22, 12)
const hourMs = 60 * 60 * 1000
/** A time after the last of the backups that these tests write. */
const later = noon + 60 * hourMs

function put(folder: string, key: string, content: string, changedAt = noon): void {
  const path = join(folder, key)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  utimesSync(path, changedAt / 1000, changedAt / 1000)
}

const damages = ['none', 'none', 'none', 'changed', 'gone', 'manifest'] as const
interface Told {
  readonly tier: BackupTier
  readonly damage: (typeof damages)[number]
}

/** Writes backups of one key file each, an hour apart, and returns for each whether it is whole. */
function write(folder: string, told: readonly Told[]): { prefix: string; tier: BackupTier; isWhole: boolean }[] {
  return told.map(({ tier, damage }, hour) => {
    const at = noon + hour * hourMs
    const prefix = toPrefix(tier, at)
    const content = `key ${hour}`
    const sha256 = createHash('sha256').update(content).digest('hex')
    const stored = { bytes: content.length, sha256 }
    const manifest = toManifestText({
      format: 1,
      tier,
      createdAt: new Date(at).toISOString(),
      program: '0',
      newestSaleAt: null,
      databases: {},
      files: [{ name: 'resume-tokens.key', ...stored, stored }],
      missing: [],
    })
    if (damage !== 'gone') put(folder, `${prefix}/resume-tokens.key`, damage === 'changed' ? `Key ${hour}` : content)
    put(folder, `${prefix}/manifest.json`, damage === 'manifest' ? manifest.replace('"0"', '"1"') : manifest)
    return { prefix, tier, isWhole: damage === 'none' }
  })
}

it('calls no backup damaged, and deletes none, while the storage does not respond', async () => {
  const folder = newFolder()
  write(
    folder,
    Array.from({ length: keeps.weekly + 1 }, () => ({ tier: 'weekly', damage: 'none' }) as const),
  )
  const store = openFolderStore(folder)
  const away = () => Promise.reject(new StorageFailed('unavailable', 'did not answer in time'))
  await expect(pruneBackups({ ...store, holds: away }, later)).rejects.toThrow('the storage did not answer in time')
  expect((await listBackups(store)).length).toBe(keeps.weekly + 1)
  rmSync(folder, { recursive: true })
})

it('deletes no product while a backup that may name it cannot be read', async () => {
  const dataDir = await makeShopToBackUp()
  const folder = newFolder()
  await backUpShop(dataDir, folder)
  const store = openFolderStore(folder)
  const products = readdirSync(join(folder, 'products'))
  const away = new StorageFailed('unavailable', 'did not answer in time')
  const read = (key: string) => (key.endsWith('manifest.json') ? new Readable().destroy(away) : store.read(key))
  const pruning = pruneBackups({ ...store, read }, Date.now() + 2 * hourMs)
  await expect(pruning).rejects.toThrow('the storage did not answer in time')
  expect(readdirSync(join(folder, 'products'))).toEqual(products)
  for (const each of [dataDir, folder]) rmSync(each, { recursive: true })
})

it('deletes a backup exactly when its tier has as many newer whole ones as it keeps', async () => {
  const backups = fc.array(
    fc.record({
      tier: fc.constantFrom<BackupTier>('weekly', 'weekly', 'daily', 'monthly', 'hourly'),
      damage: fc.constantFrom(...damages),
    }),
    // By default the lists would be short, and never hold as many backups as a tier keeps.
    { minLength: 1, maxLength: 60, size: 'max' },
  )
  await fc.assert(
    fc.asyncProperty(backups, async (told) => {
      const folder = newFolder()
      const written = write(folder, told)
      const expected = written
        .filter(
          ({ tier }, at) =>
            written.slice(at + 1).filter((newer) => newer.tier === tier && newer.isWhole).length >= keeps[tier],
        )
        .map(({ prefix }) => prefix)
      const store = openFolderStore(folder)
      const deleted = await pruneBackups(store, later)
      const left = new Set((await listBackups(store)).map(({ prefix }) => prefix))
      const lastWhole = written.findLast(({ isWhole }) => isWhole)
      const isRight =
        JSON.stringify(deleted.toSorted()) === JSON.stringify(expected.toSorted()) &&
        written.every(({ prefix }) => left.has(prefix) !== expected.includes(prefix)) &&
        (lastWhole === undefined || left.has(lastWhole.prefix)) &&
        expected.every((prefix) => !existsSync(join(folder, prefix)))
      rmSync(folder, { recursive: true })
      return isRight
    }),
    { numRuns, ...seed },
  )
}, 600_000)

it.each([
  ['hourly', 48],
  ['daily', 14],
  ['weekly', 8],
  ['monthly', 24],
] as const)('keeps of the %s backups the newest %i', async (tier, count) => {
  const folder = newFolder()
  const written = write(
    folder,
    Array.from({ length: count + 3 }, () => ({ tier, damage: 'none' })),
  )
  const store = openFolderStore(folder)
  expect((await pruneBackups(store, later)).sort()).toEqual(written.slice(0, 3).map(({ prefix }) => prefix))
  expect(await listBackups(store)).toHaveLength(count)
  rmSync(folder, { recursive: true })
})

it('does not count backups that a wrong clock has dated in the future', async () => {
  const folder = newFolder()
  const written = write(
    folder,
    Array.from({ length: 2 * keeps.weekly }, () => ({ tier: 'weekly', damage: 'none' }) as const),
  )
  const store = openFolderStore(folder)
  // The clock is right again, so that the later half of the backups is dated in the future.
  const now = noon + (keeps.weekly - 2) * hourMs
  expect(await pruneBackups(store, now)).toEqual([])
  expect(await pruneBackups(store, later)).toHaveLength(keeps.weekly)
  expect((await listBackups(store)).map(({ prefix }) => prefix)).toEqual(
    written
      .slice(keeps.weekly)
      .map(({ prefix }) => prefix)
      .toReversed(),
  )
  rmSync(folder, { recursive: true })
})

it('deletes unfinished backups once no process can be writing to them, and products that no backup names', async () => {
  const dataDir = await makeShopToBackUp()
  const folder = newFolder()
  let now = Date.now()
  const backups = openBackups({ dataDir, folder, now: () => now })
  const { signal } = new AbortController()
  await backups.make('monthly', { signal })
  const [product] = readdirSync(join(folder, 'products'))
  for (const key of [
    'hourly/2026-11-22T100000Z/ledger.db.zst',
    'daily/2026-11-22T100000Z/.0123456789ab.part',
    '.scratch-abc/copies/ledger.db',
    `products/${'0'.repeat(64)}`,
  ])
    put(folder, key, 'half', now)
  expect(await listBackups(openFolderStore(folder))).toHaveLength(1)

  const files = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true }).filter((entry) => entry.isFile())
  const before = files().length
  expect(await backups.prune({ signal })).toEqual([])
  expect(files()).toHaveLength(before)
  now += 2 * hourMs
  expect(await backups.prune({ signal })).toEqual([])
  expect(files()).toHaveLength(before - 4)
  expect(readdirSync(join(folder, 'products'))).toEqual([product])
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
  for (const each of [dataDir, folder]) rmSync(each, { recursive: true })
})

/** A shop whose backups have failed since one of them stored the product, two hours ago. */
async function makeInterrupted() {
  const dataDir = await makeShopToBackUp()
  const folder = newFolder()
  rmSync(join(folder, await backUpShop(dataDir, folder)), { recursive: true })
  const [product = ''] = readdirSync(join(folder, 'products'))
  const path = join(folder, 'products', product)
  const longAgo = Date.now() / 1000 - 7200
  utimesSync(path, longAgo, longAgo)
  return { dataDir, folder, product, path, store: openFolderStore(folder) }
}

it('keeps a product that a backup in progress found stored, although another process prunes meanwhile', async () => {
  const { dataDir, folder, path, product, store } = await makeInterrupted()
  const prunings: Promise<string[]>[] = []
  const prefix = await backUpShop(dataDir, folder, (line) => {
    if (line === 'packing') prunings.push(pruneBackups(store, Date.now()))
  })
  expect(await Promise.all(prunings)).toEqual([[]])
  expect(existsSync(path)).toBe(true)
  expect((await checkBackup(store, prefix)).missing).toEqual([])

  // The file is left as it is when the newest backup names it, so that tools which copy changed files skip it.
  const { mtimeMs } = statSync(path)
  await (await keepProducts(store, folderProducts(join(dataDir, 'products')))).keep([product])
  expect(statSync(path).mtimeMs).toBe(mtimeMs)
  for (const each of [dataDir, folder]) rmSync(each, { recursive: true })
})

it('lists every backup and product while another process deletes the folders that it prepared a backup in', async () => {
  const folder = newFolder()
  write(folder, [{ tier: 'hourly', damage: 'none' }])
  put(folder, 'products/p', 'bought')
  const store = openFolderStore(folder)
  const all = (await store.list('')).map(({ key }) => key).toSorted()
  let isOver = false
  onTestFinished(() => {
    isOver = true
  })
  const others = [1, 2, 3].map(async (name) => {
    while (!isOver) {
      const scratch = join(folder, `.scratch-${name}`)
      await mkdir(join(scratch, 'copies'), { recursive: true })
      await rm(scratch, { recursive: true })
    }
  })
  for (let times = 0; times < 200; times++) expect((await store.list('')).map(({ key }) => key).toSorted()).toEqual(all)
  isOver = true
  await Promise.all(others)
  rmSync(folder, { recursive: true })
})

it('deletes no product that was found stored after the list was made', async () => {
  const { dataDir, folder, path, product, store } = await makeInterrupted()
  const list = async (start: string) => {
    utimesSync(path, Date.now() / 1000 - 7200, Date.now() / 1000 - 7200)
    const files = await store.list(start)
    await (await keepProducts(store, folderProducts(join(dataDir, 'products')))).keep([product])
    return files
  }
  await pruneBackups({ ...store, list }, Date.now())
  expect(existsSync(path)).toBe(true)
  await pruneBackups(store, Date.now() + 2 * hourMs)
  expect(existsSync(path)).toBe(false)
  for (const each of [dataDir, folder]) rmSync(each, { recursive: true })
})

it('a product that is gone before the manifest names it is stored again, or the backup fails', async () => {
  const { dataDir, folder, product, path, store } = await makeInterrupted()
  const lose = (...paths: string[]) => {
    return (line: string) => {
      if (line === 'unpacking and comparing') for (const each of paths) rmSync(each)
    }
  }
  await checkBackup(store, await backUpShop(dataDir, folder, lose(path)))
  expect(existsSync(path)).toBe(true)
  const other = newFolder()
  const [own, kept] = [join(dataDir, 'products', product), join(other, 'products', product)]
  await expect(backUpShop(dataDir, other, lose(own, kept))).rejects.toThrow(`the product ${product} has been removed`)
  for (const each of [dataDir, folder, other]) rmSync(each, { recursive: true })
})

it('keeps a backup in progress whose first files were written long ago, as on a slow disk', async () => {
  const folder = newFolder()
  const slow = 'hourly/2026-11-22T100000Z'
  put(folder, `${slow}/ledger.db.zst`, 'whole', noon)
  put(folder, `${slow}/resume-tokens.key`, 'key', noon + 2 * hourMs)
  const store = openFolderStore(folder)
  await pruneBackups(store, noon + 2 * hourMs)
  expect(await store.list('')).toHaveLength(2)
  rmSync(folder, { recursive: true })
})

it('a backup fails if another process has deleted its databases by the time that the manifest names them', async () => {
  const { dataDir, folder, store } = await makeInterrupted()
  let isPacked = false
  const touch = async (key: string) => {
    // As a process does whose clock is hours ahead, or when the storage was slow for that long.
    if (isPacked) for (const file of await store.list('hourly/')) await store.remove(file.key)
    return store.touch(key)
  }
  const making = writeBackup({
    dataDir,
    scratch: newFolder(),
    store: { ...store, touch },
    prefix: 'hourly/2026-11-22T090000Z',
    tier: 'hourly',
    at: Date.UTC(2026, 10, 22, 9),
    say: (line) => {
      isPacked ||= line === 'unpacking and comparing'
    },
  })
  await expect(making).rejects.toThrow('game.db has been removed from the backups in the meantime')
  expect(await listBackups(store)).toEqual([])
  for (const each of [dataDir, folder]) rmSync(each, { recursive: true })
})

it('a product that reads back from its disk with other bytes does not count as stored', async () => {
  const dataDir = await makeShopToBackUp()
  const folder = newFolder()
  const [product = ''] = readdirSync(join(dataDir, 'products'))
  const store = openFolderStore(folder)
  const write: typeof store.write = async (key, source) => {
    await store.write(key, source)
    writeFileSync(join(folder, key), 'other bytes')
  }
  const products = await keepProducts({ ...store, write }, folderProducts(join(dataDir, 'products')))
  await expect(products.keep([product])).rejects.toThrow(`the product ${product} cannot be kept`)
  for (const each of [dataDir, folder]) rmSync(each, { recursive: true })
})

it('does not list a backup whose deletion was cut off', async () => {
  const folder = newFolder()
  write(
    folder,
    Array.from({ length: keeps.weekly + 1 }, () => ({ tier: 'weekly', damage: 'none' }) as const),
  )
  const store = openFolderStore(folder)
  let removed = 0
  const remove = async (key: string) => {
    if (removed++ > 0) throw new Error('killed')
    await store.remove(key)
  }
  // The order of a list is not defined; here the names are in descending order.
  const list = async (start: string) => (await store.list(start)).toSorted((a, b) => (a.key < b.key ? 1 : -1))
  await expect(pruneBackups({ ...store, list, remove }, later)).rejects.toThrow('killed')
  expect(await listBackups(store)).toHaveLength(keeps.weekly)
  rmSync(folder, { recursive: true })
})

it('deletes no product while there is a backup of a later program, which may name it', async () => {
  const dataDir = await makeShopToBackUp()
  const folder = newFolder()
  const prefix = await backUpShop(dataDir, folder)
  const manifest = join(folder, prefix, 'manifest.json')
  const text = readFileSync(manifest, 'utf8')
  writeFileSync(manifest, text.replace('"format": 2', '"format": 3'))
  const products = readdirSync(join(folder, 'products'))
  await pruneBackups(openFolderStore(folder), Date.now() + 2 * hourMs)
  expect(readdirSync(join(folder, 'products'))).toEqual(products)
  // Nothing is known of a backup in a format that cannot be read any more.
  writeFileSync(manifest, text.replace('"format": 2', '"format": 0'))
  await pruneBackups(openFolderStore(folder), Date.now() + 2 * hourMs)
  expect(existsSync(join(folder, 'products'))).toBe(false)
  for (const each of [dataDir, folder]) rmSync(each, { recursive: true })
})

it('deletes nothing where there is nothing', async () => {
  const folder = join(newFolder(), 'never')
  expect(await pruneBackups(openFolderStore(folder), noon)).toEqual([])
})
