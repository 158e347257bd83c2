import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { finishRestore } from './finish-restore.ts'
import { keepPrograms } from './keep-programs.ts'
import { planRestore, type Restore } from './stage-backup.ts'

const all = ['ledger.db', 'game.db', 'oauth.db']

const sqliteBusy = 5

/** Whether a process has the database open. False for a file that cannot be opened at all. */
function isUsed(path: string): boolean {
  try {
    const db = new DatabaseSync(path, { timeout: 0 })
    try {
      // In WAL mode each open connection holds a shared lock on the file; this asks for an exclusive one.
      db.exec('pragma locking_mode = exclusive; begin exclusive; rollback')
    } finally {
      db.close()
    }
    return false
  } catch (error) {
    return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy
  }
}

/** @throws Error of one sentence when any process has a database of this folder open */
export function assertUnused(dataDir: string): void {
  for (const name of ['ledger.db', 'game.db'])
    if (existsSync(join(dataDir, name)) && isUsed(join(dataDir, name)))
      throw new Error(`a program uses ${join(dataDir, name)}; stop it first`)
}

/**
 * Puts the verified files of a folder into the data folder, as one step, and keeps aside what they replace.
 *
 * @param names the databases to replace; one that is not in `folder` is put aside
 * @returns the folder that holds what was replaced
 * @throws Error of one sentence when a program uses the data folder again; then nothing was changed
 */
export async function replaceFiles(
  restore: Pick<Restore, 'dataDir' | 'now' | 'say'>,
  folder: string,
  names: readonly string[] = all,
): Promise<string> {
  const { dataDir, say } = restore
  // The log of the replaced database must not stay beside the new one, which SQLite would apply it to.
  const goes = names.flatMap((name) => [name, `${name}-wal`, `${name}-shm`])
  try {
    keepPrograms(join(dataDir, 'oauth.db'), join(folder, 'oauth.db'), say)
    // Unpacking takes long, and a supervisor may have started a program again meanwhile. Once the plan is written, no
    // program opens the databases.
    assertUnused(dataDir)
    await planRestore(restore, folder, goes)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  say('putting it in place')
  return (await finishRestore(dataDir)) ?? dataDir
}
