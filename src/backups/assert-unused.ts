import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

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
