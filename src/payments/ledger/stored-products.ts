import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../core/sha256.ts'
import type { ObjectStore } from '../../storage/objects/object-store.ts'
import { hasCode } from '../../storage/write-atomically.ts'
import { graceMs, maxRowBytes, type ProductStore, type StoredProduct } from './product-store.ts'
import { redeliveryDays } from './redelivery-proof.ts'
import { shareReads } from './share-reads.ts'

/** Prefix of the keys of products in the object storage. */
const start = 'products/'
/**
 * How long a product is kept in the storage that no row names, in milliseconds. A ledger restored from a backup does
 * not name what was sold since the backup; after this time, nobody may fetch that any more either.
 */
const keptMs = (redeliveryDays + 1) * 24 * 60 * 60 * 1000
/** Bytes kept in memory of products just stored: they are delivered next, once their payment has settled. */
const maxRecentBytes = 32 * 1024 * 1024
/** How often bytes with a wrong checksum are read in all: they may have been damaged in transit. */
const readTries = 3

interface Options {
  readonly objects: ObjectStore
  /** Where a shop without object storage keeps large products, and where a restore puts them; an absolute path. */
  readonly folder: string
}

/** Whether a file is too old to belong to a row that is about to be written. */
const isOld = (path: string): Promise<boolean> =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs > graceMs,
    () => false,
  )

/**
 * Keeps large products in an object storage that machines share. Products that are still in the local folder are read
 * from there, and `keepOnly` moves them to the storage.
 */
export function makeStoredProducts({ objects, folder }: Options): ProductStore {
  const recent = new Map<string, Uint8Array>()
  let recentBytes = 0

  function forget(name: string): Uint8Array | undefined {
    const body = recent.get(name)
    recent.delete(name)
    recentBytes -= body?.byteLength ?? 0
    return body
  }

  function remember(name: string, body: Uint8Array): void {
    forget(name)
    recent.set(name, body)
    recentBytes += body.byteLength
    for (const oldest of recent.keys()) {
      if (recentBytes <= maxRecentBytes) return
      forget(oldest)
    }
  }

  async function readStored(name: string): Promise<Uint8Array> {
    for (let tries = 1; ; tries++) {
      const bytes = await objects.get(start + name, { isExpected: true })
      if (!bytes) throw new Error(`the stored product ${name} is gone`)
      if (sha256(bytes) === name) return bytes
      if (tries === readTries) throw new Error(`the stored product ${name} is damaged`)
    }
  }

  /** Reads a product from the local folder; undefined when it is not there or its checksum is wrong. */
  async function readOld(name: string): Promise<Uint8Array | undefined> {
    try {
      const bytes = await readFile(join(folder, name))
      return sha256(bytes) === name ? bytes : undefined
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined
      throw error
    }
  }

  const readKept = shareReads(async (name) => (await readOld(name)) ?? (await readStored(name)))

  /** Moves the named products of the local folder to the storage, and removes the others once they are old. */
  async function clearFolder(names: ReadonlySet<string>): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(folder)) {
      const path = join(folder, name)
      if (names.has(name)) {
        const body = await readOld(name)
        if (!body) continue
        await objects.put(start + name, body)
        await rm(path, { force: true })
      } else if (await isOld(path)) await rm(path, { force: true })
    }
  }

  return {
    async keep(body): Promise<StoredProduct> {
      if (body.byteLength <= maxRowBytes) return { body, file: null }
      const name = sha256(body)
      await objects.put(start + name, body)
      remember(name, body)
      return { body: null, file: name }
    },

    async read({ body, file }) {
      if (body) return body
      if (!file) throw new Error('the product was purged')
      return forget(file) ?? readKept(file)
    },

    async keepOnly(names) {
      await clearFolder(names)
      for await (const listed of objects.list(start)) {
        const isOver = Date.now() - listed.changedAt > keptMs
        if (!names.has(listed.key.slice(start.length)) && isOver) await objects.removeUntouched(listed)
      }
    },
  }
}
