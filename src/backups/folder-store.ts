import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, type Stats } from 'node:fs'
import { mkdir, rename, rm, rmdir, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { listBelow } from '../storage/list-below.ts'
import { hasCode, syncFolder } from '../storage/write-atomically.ts'
import { readChecksum } from './checksum.ts'
import type { Checksum } from './manifest.ts'

/** One stored file. Its key is a path of plain names, joined by `/`. */
export interface StoredFile {
  readonly key: string
  readonly bytes: number
  readonly changedAt: number
}

const keyPattern = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)+$/

/** Whether a name can be the key of a file of a backup. */
export const isBackupKey = (key: string): boolean => keyPattern.test(key)

/** @throws Error when it is no key, which includes every path that leads out of the folder */
export function assertBackupKey(key: string): string {
  if (!isBackupKey(key)) throw new Error(`${key} is not the key of a backup file`)
  return key
}

/**
 * Undefined for what was removed meanwhile. Other errors are thrown, so that nothing is pruned by an incomplete list.
 */
const findStats = (path: string): Promise<Stats | undefined> =>
  stat(path).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  })

/**
 * Stores backups in a folder that only its owner can read. Writes are atomic and durable. Names that begin with a dot
 * are unfinished: files that are being written, and the folder in which backups are prepared and verified.
 *
 * @param folder absolute path
 */
export function openFolderStore(folder: string) {
  const toPath = (key: string): string => join(folder, assertBackupKey(key))
  const read = (key: string): Readable => createReadStream(toPath(key))
  return {
    /** Every file whose key begins with `start`, in no order. */
    async list(start: string): Promise<StoredFile[]> {
      const keys = (await listBelow(folder)).flatMap(({ path, isFile }) =>
        isFile && path.startsWith(start) && isBackupKey(path) ? [path] : [],
      )
      const files = keys.map(async (key): Promise<StoredFile[]> => {
        const about = await findStats(toPath(key))
        return about ? [{ key, bytes: about.size, changedAt: about.mtimeMs }] : []
      })
      return (await Promise.all(files)).flat()
    },

    read,

    /** Whether the file has this size and checksum. Rejects when it cannot be read. */
    holds: (key: string, { bytes, sha256 }: Checksum): Promise<boolean> =>
      readChecksum(read(key)).then((found) => found.bytes === bytes && found.sha256 === sha256),

    async write(key: string, source: AsyncIterable<Uint8Array>): Promise<void> {
      const path = toPath(key)
      const parent = dirname(path)
      await mkdir(parent, { recursive: true, mode: 0o700 })
      const part = join(parent, `.${randomBytes(6).toString('hex')}.part`)
      try {
        await pipeline(source, createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }))
        await rename(part, path)
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
      const names = key.split('/')
      for (let depth = names.length - 1; depth >= 0; depth--) await syncFolder(join(folder, ...names.slice(0, depth)))
    },

    /** Sets its time of change to now, so that it is not pruned soon. Returns whether it exists. */
    async touch(key: string): Promise<boolean> {
      const now = new Date()
      try {
        await utimes(toPath(key), now, now)
        return true
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return false
        throw error
      }
    },

    /** Removes it unless it was written or touched since it was listed: then another process needs it. */
    async removeUntouched({ key, changedAt }: StoredFile): Promise<void> {
      if ((await findStats(toPath(key)))?.mtimeMs === changedAt) await this.remove(key)
    },

    async remove(key: string): Promise<void> {
      const path = toPath(key)
      await rm(path, { force: true })
      // Removes the folder of a backup with its last file; fails while there are others.
      await rmdir(dirname(path)).catch(() => {})
    },

    /** Removes what interrupted writes left behind that was last changed before this time (ms since 1970). */
    async sweep(before: number): Promise<void> {
      const unfinished = (await listBelow(folder)).filter(({ path }) => /(?:^|\/)\./.test(path))
      // The content of a folder before the folder itself, which stays while anything is left in it.
      for (const { path, isFile } of unfinished.toSorted((a, b) => b.path.length - a.path.length)) {
        const about = await findStats(join(folder, path))
        if (!about || about.mtimeMs >= before) continue
        if (isFile) await rm(join(folder, path), { force: true })
        else await rmdir(join(folder, path)).catch(() => {})
      }
    },
  }
}

export type BackupStore = ReturnType<typeof openFolderStore>
