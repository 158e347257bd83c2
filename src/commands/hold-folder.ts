import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { hasLeft, makeOwner } from '../storage/lease-owner.ts'
import { hasCode } from '../storage/write-atomically.ts'

/** How long a start waits for another one that takes the same folder, in ms. */
const lockWaitMs = 5000

/**
 * Makes sure that only one `npm start` uses a data folder at a time, because its chain and its sandbox file can have
 * only one owner. (The ledger itself may be shared by any number of site processes.)
 *
 * @throws Error with one sentence that names DATA_DIR
 */
export function holdFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
  } catch (cause) {
    throw new Error(`the data folder ${folder} cannot be written; make it writable or set DATA_DIR to another`, {
      cause,
    })
  }
  const file = join(folder, 'owner')
  const owner = makeOwner()
  let lock: DatabaseSync | undefined
  try {
    lock = takeLock(folder)
    const before = readOwner(file)
    // A crash in the middle of the write leaves an empty file.
    if (before !== '' && !hasLeft(before))
      throw new Error(
        `another npm start (process ${before.split('/')[1]}) uses ${folder}; stop it, or set DATA_DIR and PORT to run a second one`,
      )
    writeFileSync(file, owner, { mode: 0o600 })
  } catch (error) {
    if (hasCode(error, 'ENOSPC'))
      throw new Error(`the disk of the data folder ${folder} is full; free some space`, { cause: error })
    throw error
  } finally {
    lock?.close()
  }
  process.on('exit', () => {
    if (readOwner(file) === owner) rmSync(file, { force: true })
  })
}

/** The owner of a data folder; empty when it has none. */
const readOwner = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/**
 * Takes a lock, so that of two processes that start at the same moment only one replaces an owner that is gone. It is
 * released by `close`, or by the system when this process dies.
 *
 * @throws Error of the file system; Error with one sentence when another process holds the lock for seconds
 */
function takeLock(folder: string): DatabaseSync {
  const file = join(folder, 'owner.lock')
  // Creates it for its owner only, and fails with an error of the file system, which says more than one of SQLite.
  writeFileSync(file, '', { flag: 'a', mode: 0o600 })
  const lock = new DatabaseSync(file, { timeout: lockWaitMs })
  try {
    // The journal stays in memory, because a full disk has no room for its file.
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return lock
  } catch (cause) {
    lock.close()
    throw new Error(`another program is starting in ${folder}; try again when it has started`, { cause })
  }
}
