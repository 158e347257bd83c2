import { assertHeld } from './check-files.ts'
import type { BackupStore } from './folder-store.ts'
import { openBackup } from './list-backups.ts'
import { type Manifest, toKey } from './manifest.ts'

/** Results of checked files, by key and checksum, so that a product that many backups share is read once. */
export type CheckedFiles = Map<string, Promise<void>>

/**
 * Checks every byte of a backup against its checksums: by reading it, or by the checksum that a storage has verified.
 *
 * @throws DamagedBackup when there is no such backup, or it is not what was written
 */
export async function checkBackup(
  store: BackupStore,
  prefix: string,
  checked: CheckedFiles = new Map(),
): Promise<Manifest> {
  const manifest = await openBackup(store, prefix)
  for (const file of manifest.files) {
    const key = `${toKey(prefix, file.name)} ${file.stored.sha256}`
    const check = checked.get(key) ?? assertHeld(store, prefix, file)
    checked.set(key, check)
    await check
  }
  return manifest
}
