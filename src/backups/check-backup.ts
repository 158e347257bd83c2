import { assertHeld } from './check-files.ts'
import type { BackupStore } from './folder-store.ts'
import { openBackup } from './list-backups.ts'
import { type Manifest, toKey } from './manifest.ts'

/** What reading files came to: a product that many backups share is read once. */
export type CheckedFiles = Map<string, Promise<void>>

/**
 * Compares every byte of a backup with what was written: reads it, or has a storage that compared it say so.
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
