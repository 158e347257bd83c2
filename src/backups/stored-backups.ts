import { Readable } from 'node:stream'
import type { ObjectStore } from '../storage/objects/object-store.ts'
import { readChecksum } from './checksum.ts'
import { assertBackupKey, type BackupStore, isBackupKey, openFolderStore } from './folder-store.ts'

/** What the keys of backups in the storage begin with. */
const start = 'backups/'

/**
 * Stores backups in a storage outside of this machine.
 *
 * @param scratch the folder in which they are prepared and verified; absolute
 */
export function openStoredBackups(objects: ObjectStore, scratch: string): BackupStore {
  const toKey = (key: string): string => start + assertBackupKey(key)
  const read = (key: string): Readable => {
    async function* pieces() {
      yield* await objects.open(toKey(key))
    }
    return Readable.from(pieces(), { objectMode: false })
  }
  return {
    async list(wanted) {
      const files = await Array.fromAsync(objects.list(start + wanted))
      return files.flatMap((file) => {
        const key = file.key.slice(start.length)
        return isBackupKey(key) ? [{ ...file, key }] : []
      })
    },
    read,
    write: (key, source) => objects.write(toKey(key), source),
    /** An object written in one request has a checksum that the storage has verified. Others are read. */
    async holds(key, { bytes, sha256 }) {
      const found = await objects.head(toKey(key))
      if (found?.bytes !== bytes) return false
      return (found.sha256 ?? (await readChecksum(read(key))).sha256) === sha256
    },
    touch: (key) => objects.touch(toKey(key)),
    removeUntouched: (file) => objects.removeUntouched({ ...file, key: toKey(file.key) }),
    remove: (key) => objects.remove(toKey(key)),
    async sweep(before) {
      await objects.sweep(start, before)
      await openFolderStore(scratch).sweep(before)
    },
  }
}
