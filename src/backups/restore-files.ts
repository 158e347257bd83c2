import { closeSync, existsSync, openSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { checkDatabases } from './check-databases.ts'
import { describeDatabase } from './describe-database.ts'
import { forgetLetters } from './forget-letters.ts'
import type { DatabaseFacts, DatabaseName, Manifest } from './manifest.ts'
import { assertUnused, replaceFiles } from './replace-files.ts'
import { signWalletsOut } from './sign-wallets-out.ts'
import { assertKnown, clearStaging, makeStaging, type Restore } from './stage-backup.ts'

interface Options extends Pick<Restore, 'dataDir' | 'known' | 'now' | 'say'> {
  /** A folder with databases of ours, which no program uses. */
  readonly from: string
}

/** Copies a database with its log into one file, and describes its content. */
function copy(from: string, to: string): DatabaseFacts {
  // `vacuum into` accepts an empty file, and keeps its permissions.
  closeSync(openSync(to, 'wx', 0o600))
  const db = new DatabaseSync(from)
  try {
    db.prepare('vacuum into ?').run(to)
    return describeDatabase(db)
  } finally {
    db.close()
  }
}

/**
 * Puts databases that another tool (Litestream) restored into the data folder, with the same steps as a restore: they
 * are verified first, wallets are signed out, OAuth permissions do not come back, and the replaced files are kept
 * aside. Products, keys and a database that was not restored stay as they are.
 *
 * @returns the folder that holds what was replaced
 * @throws DamagedBackup, or Error of one sentence, before anything is changed
 */
export async function restoreFiles({ dataDir, from, known, now, say }: Options): Promise<string> {
  if (!existsSync(join(from, 'ledger.db')))
    throw new Error(`there is no ledger.db in ${from}; restore it there with Litestream first`)
  assertUnused(dataDir)
  const names = (['game.db', 'ledger.db'] satisfies DatabaseName[]).filter((name) => existsSync(join(from, name)))
  await clearStaging(dataDir)
  const folder = await makeStaging(dataDir)
  try {
    say('copying and comparing')
    const databases: Manifest['databases'] = {}
    for (const name of names) databases[name] = copy(join(from, name), join(folder, name))
    assertKnown(databases, known)
    checkDatabases(folder, databases)
    signWalletsOut(join(folder, 'ledger.db'), now)
    forgetLetters(join(folder, 'ledger.db'))
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  return replaceFiles({ dataDir, now, say }, folder, [...names, 'oauth.db'])
}
