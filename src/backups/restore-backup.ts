import { assertUnused, replaceFiles } from './replace-files.ts'
import { type Restore, stageBackup } from './stage-backup.ts'

/**
 * Restores a data folder from a backup. Everything is unpacked and verified beside the old files first. Then a plan is
 * written: a restore that is interrupted after that is finished by the next run. Nothing is deleted: the replaced files
 * are kept aside.
 *
 * @returns the folder that holds what was replaced
 * @throws DamagedBackup, or Error of one sentence, before anything is changed
 */
export async function restoreBackup(restore: Restore): Promise<string> {
  return replaceFiles(restore, await stageBackup(restore, () => assertUnused(restore.dataDir)))
}
