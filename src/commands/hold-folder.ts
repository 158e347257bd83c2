import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasLeft, makeOwner } from '../storage/lease-owner.ts'

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
  for (;;) {
    try {
      writeFileSync(file, makeOwner(), { flag: 'wx', mode: 0o600 })
      process.on('exit', () => rmSync(file, { force: true }))
      return
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'ENOSPC')
        throw new Error(`the disk of the data folder ${folder} is full; free some space`, { cause: error })
      if (code !== 'EEXIST') throw error
    }
    const owner = readFileSync(file, 'utf8')
    const [, pid] = owner.split('/')
    if (owner !== '' && !hasLeft(owner))
      throw new Error(
        `another npm start (process ${pid}) uses ${folder}; stop it, or set DATA_DIR and PORT to run a second one`,
      )
    rmSync(file, { force: true })
  }
}
