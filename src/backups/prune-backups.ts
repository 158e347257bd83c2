import { isPrefix, keptOfTier } from './backup-tiers.ts'
import { type CheckedFiles, checkBackup } from './check-backup.ts'
import type { BackupStore, StoredFile } from './folder-store.ts'
import { listBackups } from './list-backups.ts'
import { DamagedBackup, toManifestKey } from './manifest.ts'
import { toTime } from './newest-backup.ts'

/** A file that was not changed for this long is not being written any more. */
const graceMs = 60 * 60 * 1000

/** Only damage counts as a result. Other errors are thrown: a disk that cannot be read now proves nothing. */
function isDamaged(error: unknown): false {
  if (error instanceof DamagedBackup) return false
  throw error
}

/** Removes a backup, or the files of an unfinished one. */
export async function removeBackup(store: BackupStore, prefix: string): Promise<void> {
  // The manifest goes first, so that a half-removed backup does not count as one.
  await store.remove(toManifestKey(prefix))
  for (const { key } of await store.list(`${prefix}/`)) await store.remove(key)
}

/**
 * Removes the files of backups that were never finished, and products that no backup names. No product is removed while
 * there is a backup that only a later program can read.
 */
async function removeRemains(store: BackupStore, now: number): Promise<void> {
  await store.sweep(now - graceMs)
  const backups = await listBackups(store)
  const named = new Set(backups.flatMap(({ manifest }) => manifest?.files.map(({ name }) => name) ?? []))
  const isNamed = (key: string): boolean => named.has(key) || backups.some(({ isLater }) => isLater)
  const files = await store.list('')
  const keys = new Set(files.map(({ key }) => key))
  const byPrefix = Map.groupBy(files, ({ key }) => key.slice(0, key.lastIndexOf('/')))
  const isOld = ({ changedAt }: StoredFile): boolean => changedAt < now - graceMs
  for (const [prefix, ofPrefix] of byPrefix) {
    const isUnfinished = isPrefix(prefix) && !keys.has(toManifestKey(prefix)) && ofPrefix.every(isOld)
    for (const file of ofPrefix)
      if (isUnfinished || (prefix === 'products' && !isNamed(file.key) && isOld(file)))
        await store.removeUntouched(file)
  }
}

/**
 * Deletes backups that their tiers no longer keep. Within a tier, backups are verified from the newest on, until as
 * many are undamaged as the tier keeps; only older ones are deleted. So damaged ones do not count, and while there are
 * too few undamaged ones nothing is deleted. Backups dated in the future, by a clock that was ahead, are left out: they
 * would be the newest until that time, and backups that are made now would be deleted before them.
 *
 * @returns the prefixes deleted
 */
export async function pruneBackups(store: BackupStore, now: number): Promise<string[]> {
  const known: CheckedFiles = new Map()
  const backups = await listBackups(store)
  const deleted: string[] = []
  for (const [tier, keeps] of Object.entries(keptOfTier)) {
    const ofTier = backups.filter(({ prefix }) => prefix.startsWith(`${tier}/`) && toTime(prefix) <= now + graceMs)
    if (ofTier.length <= keeps) continue
    let whole = 0
    for (const backup of ofTier) {
      if (whole >= keeps) {
        await removeBackup(store, backup.prefix)
        deleted.push(backup.prefix)
      } else if (await checkBackup(store, backup.prefix, known).then(() => true, isDamaged)) whole++
    }
  }
  await removeRemains(store, now)
  return deleted
}
