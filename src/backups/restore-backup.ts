import { assertUnused, replaceFiles } from './replace-files.ts'
import { type Restore, stageBackup } from './stage-backup.ts'

/**
 * Puts a data folder back to what it was when a backup was made. Everything is unpacked and tried beside the old
 * files first; then a plan is written, and from that moment on whoever is cut off finishes it. Nothing is deleted:
 * what was there is kept aside.
 *
 * @returns the folder that holds what was replaced
 * @throws DamagedBackup, or Error of one sentence, before anything is changed
 */
export async function restoreBackup(restore: Restore): Promise<string> {
  return replaceFiles(restore, await stageBackup(restore, () => assertUnused(restore.dataDir)))
}
