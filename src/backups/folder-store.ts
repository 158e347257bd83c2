import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { hasCode, syncFolder } from '../write-atomically.ts'
import type { BackupStore, StoredFile } from './backup-store.ts'

const keyPattern = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)+$/

/** Files below a folder, as paths from there; nothing when there is no such folder. */
async function listFiles(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

/**
 * Backups in a folder that only its owner can read. Whatever is unfinished has a name that begins with a dot: files
 * that are being written, and the folder in which backups are prepared and tried.
 *
 * @param folder absolute path
 */
export function openFolderStore(folder: string): BackupStore {
  const toPath = (key: string): string => {
    if (!keyPattern.test(key)) throw new Error(`${key} is not the key of a backup file`)
    return join(folder, key)
  }
  return {
    async list(start) {
      const keys = (await listFiles(folder)).filter((key) => key.startsWith(start) && keyPattern.test(key))
      const files = keys.map(async (key): Promise<StoredFile[]> => {
        // One that was removed in between is not listed.
        const about = await stat(toPath(key)).catch(() => undefined)
        return about ? [{ key, bytes: about.size, changedAt: about.mtimeMs }] : []
      })
      return (await Promise.all(files)).flat()
    },

    read: (key) => createReadStream(toPath(key)),

    async write(key, source) {
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
      for (let at = parent; at.startsWith(folder); at = dirname(at)) await syncFolder(at)
    },

    async remove(key) {
      const path = toPath(key)
      await rm(path, { force: true })
      // The folder of a backup goes with its last file.
      await rmdir(dirname(path)).catch(() => {})
    },

    async sweep(before) {
      const unfinished = (await listFiles(folder)).filter((path) => /(?:^|\/)\./.test(path))
      for (const path of unfinished) {
        const about = await stat(join(folder, path)).catch(() => undefined)
        if (!about || about.mtimeMs >= before) continue
        await rm(join(folder, path), { force: true })
        // Its folder goes with the last file, and the folder of that one.
        for (let at = dirname(path); at !== '.'; at = dirname(at)) await rmdir(join(folder, at)).catch(() => {})
      }
    },
  }
}
