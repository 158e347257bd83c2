import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../core/sha256.ts'
import { isOlder } from '../../storage/is-older.ts'
import { shareReads } from './share-reads.ts'

/** Products up to this size live in the ledger row; larger ones in a file of their own. */
export const maxRowBytes = 1024 * 1024
/** A file younger than this, in milliseconds, may belong to a row that is about to be written, and is kept. */
export const graceMs = 60 * 60 * 1000

/** Where a product's bytes are: in the row, or in a content-addressed file. */
export interface StoredProduct {
  body: Uint8Array | null
  file: string | null
}

/**
 * Keeps products durably before any money moves. Large ones are written to a temporary name, synced, renamed to
 * their hash, and the folder is synced, so that a power cut leaves either the whole file or none (rename(2)).
 *
 * @param folder absolute path below the data folder
 */
export function makeProductStore(folder: string) {
  const readKept = shareReads(async (name) => {
    const bytes = await readFile(join(folder, name))
    if (sha256(bytes) !== name) throw new Error(`the stored product ${name} is damaged`)
    return bytes
  })

  return {
    /**
     * Stores a body durably.
     *
     * @throws when it cannot be written
     */
    async keep(body: Uint8Array): Promise<StoredProduct> {
      if (body.byteLength <= maxRowBytes) return { body, file: null }
      const name = sha256(body)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const temporary = join(folder, `.${name}.${randomBytes(6).toString('hex')}`)
      try {
        const file = await open(temporary, 'wx', 0o600)
        try {
          await file.writeFile(body)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(temporary, join(folder, name))
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
      const directory = await open(folder, 'r')
      try {
        await directory.sync()
      } finally {
        await directory.close()
      }
      return { body: null, file: name }
    },

    /**
     * Reads a body. Do not write into it: other callers may share the same memory.
     *
     * @throws when the stored bytes are gone or are not what was stored
     */
    async read({ body, file }: StoredProduct): Promise<Uint8Array> {
      if (body) return body
      if (!file) throw new Error('the product was purged')
      return readKept(file)
    },

    /** Removes every file that is not among `names`, except for young ones (`graceMs`). */
    async keepOnly(names: ReadonlySet<string>): Promise<void> {
      if (!existsSync(folder)) return
      for (const name of await readdir(folder)) {
        if (names.has(name)) continue
        const path = join(folder, name)
        // A file may vanish meanwhile: one that is being stored gets its final name.
        if (await isOlder(path, Date.now() - graceMs)) await rm(path, { force: true })
      }
    },
  }
}

export type ProductStore = ReturnType<typeof makeProductStore>
