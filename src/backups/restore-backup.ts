import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { restorePlanFile } from '../storage/restore-plan-file.ts'
import { syncFolder, writeAtomically } from '../storage/write-atomically.ts'
import { checkBackup } from './check-backup.ts'
import { checkDatabases } from './check-databases.ts'
import { unpackFile } from './check-files.ts'
import { finishRestore, type RestorePlan } from './finish-restore.ts'
import type { BackupStore } from './folder-store.ts'
import { keepPrograms } from './keep-programs.ts'
import type { DatabaseName, Manifest } from './manifest.ts'
import { signWalletsOut } from './sign-wallets-out.ts'

/** The migrations that this program has, of each database. */
export type KnownMigrations = Readonly<Record<DatabaseName, readonly string[]>>

const stagingStart = '.restore-'

/** A log beside another database would be read into it. */
const databaseFiles = ['ledger.db', 'game.db', 'oauth.db'].flatMap((name) => [name, `${name}-wal`, `${name}-shm`])

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
function assertUnused(dataDir: string): void {
  for (const name of ['ledger.db', 'game.db'])
    if (existsSync(join(dataDir, name)) && isUsed(join(dataDir, name)))
      throw new Error(`a program uses ${join(dataDir, name)}; stop it first`)
}

/** @throws Error when the backup has tables that this program does not know */
function assertKnown({ databases, program }: Manifest, known: KnownMigrations): void {
  for (const name of ['game.db', 'ledger.db'] satisfies DatabaseName[])
    for (const migration of databases[name]?.migrations ?? [])
      if (!known[name].includes(migration))
        throw new Error(
          `the backup was made by a newer program (${program}, with ${migration} in ${name}); restore it with that one`,
        )
}

/** An empty folder on the disk of the data, so that what comes out of it is renamed only. */
async function makeStaging(dataDir: string): Promise<string> {
  if (existsSync(restorePlanFile(dataDir))) throw new Error('a restore of this folder is not finished')
  // Left by restores that were cut off before they had changed anything.
  for (const name of await readdir(dataDir))
    if (name.startsWith(stagingStart)) await rm(join(dataDir, name), { recursive: true })
  return basename(await mkdtemp(join(dataDir, stagingStart)))
}

function findFreeName(dataDir: string, now: number): string {
  for (let second = now; ; second += 1000) {
    const name = `replaced-${new Date(second).toISOString().slice(0, 19).replaceAll(':', '')}Z`
    if (!existsSync(join(dataDir, name))) return name
  }
}

interface Options {
  readonly dataDir: string
  readonly store: BackupStore
  readonly prefix: string
  readonly known: KnownMigrations
  readonly now: number
  readonly say: (line: string) => void
}

/**
 * Puts a data folder back to what it was when a backup was made. Everything is unpacked and tried beside the old
 * files first; then a plan is written, and from that moment on whoever is cut off finishes it. Nothing is deleted:
 * what was there is kept aside.
 *
 * @returns the folder that holds what was replaced
 * @throws DamagedBackup, or Error of one sentence, before anything is changed
 */
export async function restoreBackup({ dataDir, store, prefix, known, now, say }: Options): Promise<string> {
  say('reading the backup')
  const manifest = await checkBackup(store, prefix)
  assertKnown(manifest, known)
  assertUnused(dataDir)
  const staging = await makeStaging(dataDir)
  const folder = join(dataDir, staging)
  try {
    say('unpacking and comparing')
    await mkdir(join(folder, 'products'), { mode: 0o700 })
    for (const file of manifest.files) await unpackFile(store, prefix, file, folder)
    checkDatabases(folder, manifest.databases)
    signWalletsOut(join(folder, 'ledger.db'), now)
    keepPrograms(join(dataDir, 'oauth.db'), join(folder, 'oauth.db'))
    await syncFolder(join(folder, 'products'))
    await syncFolder(folder)
    const comes = await readdir(folder)
    const goes = databaseFiles.filter((name) => !comes.includes(name))
    const plan: RestorePlan = { staging, aside: findFreeName(dataDir, now), comes, goes }
    await writeAtomically(restorePlanFile(dataDir), JSON.stringify(plan), { mode: 0o600, exclusive: true })
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  say('putting it in place')
  return (await finishRestore(dataDir)) ?? dataDir
}
