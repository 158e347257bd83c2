import { createReadStream, existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import packageFile from '../../package.json' with { type: 'json' }
import { openRoom } from './backup-room.ts'
import type { BackupTier } from './backup-tiers.ts'
import { type BooksSource, fileBooks } from './books-source.ts'
import { checkDatabases } from './check-databases.ts'
import { unpackFile } from './check-files.ts'
import { makeChecksum } from './checksum.ts'
import type { BackupStore } from './folder-store.ts'
import { keepProducts } from './keep-products.ts'
import {
  type BackupFile,
  format,
  isCompressed,
  type Manifest,
  toKey,
  toManifestKey,
  toManifestText,
} from './manifest.ts'
import { folderProducts, type ProductSource } from './product-source.ts'
import { readProductNames } from './snapshot.ts'

/**
 * Keys that cannot be created again: one derives the resume tokens of bought names, one signs receipts. The operator's
 * secret is not among them, because a new one is created when it is missing.
 */
const keyFiles = ['resume-tokens.key', 'receipts.key']

interface Options {
  readonly dataDir: string
  /** A folder for copies. */
  readonly scratch: string
  readonly store: BackupStore
  /** The books to back up; files of the data folder when absent. */
  readonly books?: BooksSource
  /** The products to back up; files of the data folder when absent. */
  readonly products?: ProductSource
  /** Whether the store is outside of this machine, so that products in it take no room on this disk. */
  readonly isStoreFar?: boolean
  readonly prefix: string
  readonly tier: BackupTier
  readonly at: number
  readonly say: (line: string) => void
}

export interface WrittenBackup {
  readonly prefix: string
  readonly manifest: Manifest
}

/** Stores one file. Returns its size and checksum before and after compression. */
async function keepFile(store: BackupStore, prefix: string, name: string, path: string): Promise<BackupFile> {
  const plain = makeChecksum()
  const stored = makeChecksum()
  const keep = (source: AsyncIterable<Uint8Array>) => store.write(toKey(prefix, name), stored.pass(source))
  const source = createReadStream(path)
  await (isCompressed(name)
    ? pipeline(source, plain.pass, createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }), keep)
    : pipeline(source, plain.pass, keep))
  return { name, ...plain.read(), stored: stored.read() }
}

/** Checks that another process has not pruned the files: by its clock, they may look old and unfinished. */
async function assertThere(store: BackupStore, prefix: string, files: readonly BackupFile[]): Promise<void> {
  const there = new Set((await store.list(`${prefix}/`)).map(({ key }) => key))
  for (const { name } of files)
    if (!there.has(toKey(prefix, name))) throw new Error(`${name} has been removed from the backups in the meantime`)
}

/**
 * Makes one backup, unpacks it again, compares it with the copied databases, and only then writes the manifest. A
 * backup without a manifest does not count as one.
 *
 * Products are stored before the databases are copied, because some may be purged meanwhile, and new ones after that:
 * so each file that the copied ledger refers to is in the backup.
 *
 * @throws Error when there is too little room, or a check fails
 */
export async function writeBackup({
  dataDir,
  scratch,
  store,
  prefix,
  tier,
  at,
  say,
  isStoreFar = false,
  ...from
}: Options): Promise<WrittenBackup> {
  const books = from.books ?? fileBooks(dataDir)
  const room = openRoom(scratch, await books.measure())
  await room.assertForBooks()
  const copies = join(scratch, 'copies')
  const tried = join(scratch, 'tried')
  await mkdir(copies, { recursive: true, mode: 0o700 })
  const source = from.products ?? folderProducts(join(dataDir, 'products'))
  const products = await keepProducts(store, source, isStoreFar ? undefined : room.assertForProduct)
  say('keeping the products')
  await products.keep(await books.productNames())
  say('copying the databases')
  const { databases, newestSaleAt } = await books.copy(copies, say)
  const named = readProductNames(join(copies, 'ledger.db'))
  await products.keep(named)
  const keys = keyFiles.filter((name) => existsSync(join(dataDir, name)))
  say('packing')
  const files: BackupFile[] = []
  for (const name of Object.keys(databases)) files.push(await keepFile(store, prefix, name, join(copies, name)))
  for (const name of keys) files.push(await keepFile(store, prefix, name, join(dataDir, name)))
  await rm(copies, { recursive: true })

  say('unpacking and comparing')
  for (const file of files) await unpackFile(store, prefix, file, tried)
  checkDatabases(tried, databases)
  await products.keepOn(named)
  await assertThere(store, prefix, files)
  const { kept, missing } = products.named(named)
  const manifest: Manifest = {
    format,
    tier,
    createdAt: new Date(at).toISOString(),
    program: packageFile.version,
    newestSaleAt: newestSaleAt === null ? null : new Date(newestSaleAt).toISOString(),
    databases,
    files: [...files, ...kept],
    missing,
  }
  await store.write(toManifestKey(prefix), Readable.from([Buffer.from(toManifestText(manifest))]))
  return { prefix, manifest }
}
