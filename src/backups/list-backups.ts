import { text } from 'node:stream/consumers'
import { hasCode } from '../storage/write-atomically.ts'
import { isPrefix } from './backup-tiers.ts'
import type { BackupStore } from './folder-store.ts'
import { DamagedBackup, LaterBackup, type Manifest, readManifest, toManifestKey } from './manifest.ts'

/** A finished backup; without a manifest when that is damaged. */
export interface ListedBackup {
  readonly prefix: string
  readonly manifest: Manifest | undefined
  /** Whether a later program made it, so that this one cannot tell which files it names. */
  readonly isLater: boolean
}

/**
 * Reads the manifest of a backup.
 *
 * @throws DamagedBackup when there is none, or it was changed since it was written
 */
export async function openBackup(store: BackupStore, prefix: string): Promise<Manifest> {
  const found = await text(store.read(toManifestKey(prefix))).catch((cause: unknown) => {
    if (hasCode(cause, 'ENOENT')) throw new DamagedBackup(`there is no backup ${prefix}`, { cause })
    throw cause
  })
  return readManifest(found)
}

const timeOf = (prefix: string): string => prefix.slice(prefix.indexOf('/') + 1)

/** Every finished backup, the newest first. */
export async function listBackups(store: BackupStore): Promise<ListedBackup[]> {
  const files = await store.list('')
  const prefixes = files.flatMap(({ key }) => {
    const prefix = key.slice(0, key.lastIndexOf('/'))
    return isPrefix(prefix) && key === toManifestKey(prefix) ? [prefix] : []
  })
  prefixes.sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1))
  const backups: ListedBackup[] = []
  for (const prefix of prefixes) {
    const read = await openBackup(store, prefix).then(
      (manifest) => ({ manifest, isLater: false }),
      (error: unknown) => {
        if (error instanceof DamagedBackup) return { manifest: undefined, isLater: error instanceof LaterBackup }
        throw error
      },
    )
    backups.push({ prefix, ...read })
  }
  return backups
}
