import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'

/**
 * Runs `work` while no other process on this clone does. The lock is an open transaction on an empty SQLite database:
 * the operating system releases it however its holder ends, so no stale lock is left behind and none has to be stolen.
 */
export async function withBuildLock<T>(file: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  const db = new DatabaseSync(file, { timeout: 0 })
  try {
    for (let attempt = 0; !takes(db); attempt++) {
      if (attempt === 0) onWait()
      await setTimeout(200)
    }
    return await work()
  } finally {
    db.close()
  }
}

function takes(db: DatabaseSync): boolean {
  try {
    db.exec('begin exclusive')
    return true
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return false
    throw error
  }
}

const sqliteBusy = 5
