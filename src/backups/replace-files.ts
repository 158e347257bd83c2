import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { finishRestore } from './finish-restore.ts'
import { keepPrograms } from './keep-programs.ts'
import { planRestore, type Restore } from './stage-backup.ts'

const all = ['ledger.db', 'game.db', 'oauth.db']

const sqliteBusy = 5

/** One that cannot be opened at all is used by nobody. */
function isUsed(path: string): boolean {
  try {
    const db = new DatabaseSync(path, { timeout: 0 })
    try {
      // Every open connection shares a lock on the file; this asks for it alone.
      db.exec('pragma locking_mode = exclusive; begin exclusive; rollback')
    } finally {
      db.close()
    }
    return false
  } catch (error) {
    return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy
  }
}

/** @throws Error of one sentence when a program has a database of this folder open, started by whomever */
export function assertUnused(dataDir: string): void {
  for (const name of ['ledger.db', 'game.db'])
    if (existsSync(join(dataDir, name)) && isUsed(join(dataDir, name)))
      throw new Error(`a program uses ${join(dataDir, name)}; stop it first`)
}

/**
 * Puts what was tried in a folder into the data folder, as one step, and keeps aside what it replaces.
 *
 * @param names of the databases that are replaced; one that does not come is put aside
 * @returns the folder that holds what was replaced
 * @throws Error of one sentence when a program uses the data folder again; then nothing was changed
 */
export async function replaceFiles(
  restore: Pick<Restore, 'dataDir' | 'now' | 'say'>,
  folder: string,
  names: readonly string[] = all,
): Promise<string> {
  const { dataDir, say } = restore
  // A log beside another database would be read into it.
  const goes = names.flatMap((name) => [name, `${name}-wal`, `${name}-shm`])
  try {
    keepPrograms(join(dataDir, 'oauth.db'), join(folder, 'oauth.db'), say)
    // Unpacking took its time, in which a program that was killed instead of stopped is started again. From the plan on
    // none opens the databases.
    assertUnused(dataDir)
    await planRestore(restore, folder, goes)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  say('putting it in place')
  return (await finishRestore(dataDir)) ?? dataDir
}
