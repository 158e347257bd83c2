import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { restorePlanFile } from '../storage/restore-plan-file.ts'
import { syncFolder, writeAtomically } from '../storage/write-atomically.ts'
import { checkBackup } from './check-backup.ts'
import { checkDatabases } from './check-databases.ts'
import { unpackFile } from './check-files.ts'
import type { RestorePlan } from './finish-restore.ts'
import type { BackupStore } from './folder-store.ts'
import { forgetLetters } from './forget-letters.ts'
import type { DatabaseName, Manifest } from './manifest.ts'
import { signWalletsOut } from './sign-wallets-out.ts'

/** Names of the migrations that this program has, by database. */
export type KnownMigrations = Readonly<Record<DatabaseName, readonly string[]>>

/** A backup to restore. */
export interface Restore {
  readonly dataDir: string
  readonly store: BackupStore
  readonly prefix: string
  readonly known: KnownMigrations
  readonly now: number
  readonly say: (line: string) => void
}

const stagingStart = '.restore-'

/**
 * @param by the program that made the backup, for the message, ending in a comma and a space
 * @throws Error when a database has a migration that this program does not have
 */
export function assertKnown(databases: Manifest['databases'], known: KnownMigrations, by = ''): void {
  for (const name of ['game.db', 'ledger.db'] satisfies DatabaseName[])
    for (const migration of databases[name]?.migrations ?? [])
      if (!known[name].includes(migration))
        throw new Error(
          `the backup was made by a newer program (${by}with ${migration} in ${name}); restore it with that one`,
        )
}

/** Makes an empty folder within the data folder, so that files get from it into place by a rename. */
export const makeStaging = (dataDir: string): Promise<string> => mkdtemp(join(dataDir, stagingStart))

/**
 * Removes what restores left behind that were interrupted before they had changed anything.
 *
 * @throws Error when an earlier restore has to be finished first
 */
export async function clearStaging(dataDir: string): Promise<void> {
  if (existsSync(restorePlanFile(dataDir)))
    throw new Error('an earlier restore of this folder is not finished; run npm run restore to finish it')
  for (const name of await readdir(dataDir))
    if (name.startsWith(stagingStart)) await rm(join(dataDir, name), { recursive: true })
}

/**
 * Unpacks a backup into a folder within the data folder, and verifies it. No wallet is signed in in its ledger.
 *
 * @param assertFree throws when the backup cannot be put in place, because books or programs are in the way
 * @returns the path of the folder
 * @throws DamagedBackup, or Error of one sentence; then nothing is left behind
 */
export async function stageBackup(
  { dataDir, store, prefix, known, now, say }: Restore,
  assertFree: () => void | Promise<void>,
): Promise<string> {
  say('reading the backup')
  const manifest = await checkBackup(store, prefix)
  assertKnown(manifest.databases, known, `${manifest.program}, `)
  await assertFree()
  await clearStaging(dataDir)
  const folder = await makeStaging(dataDir)
  try {
    say('unpacking and comparing')
    await mkdir(join(folder, 'products'), { mode: 0o700 })
    for (const file of manifest.files) await unpackFile(store, prefix, file, folder)
    checkDatabases(folder, manifest.databases)
    signWalletsOut(join(folder, 'ledger.db'), now)
    forgetLetters(join(folder, 'ledger.db'))
    return folder
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

function findFreeName(dataDir: string, now: number): string {
  for (let second = now; ; second += 1000) {
    const name = `replaced-${new Date(second).toISOString().slice(0, 19).replaceAll(':', '')}Z`
    if (!existsSync(join(dataDir, name))) return name
  }
}

/**
 * Writes the plan of a restore: from then on, everything in `folder` will be put into the data folder.
 *
 * @param beside names in the data folder that are put aside too, unless `folder` has a file of that name
 */
export async function planRestore(
  { dataDir, now }: Pick<Restore, 'dataDir' | 'now'>,
  folder: string,
  beside: readonly string[] = [],
): Promise<void> {
  const comes = await readdir(folder)
  if (comes.includes('products')) await syncFolder(join(folder, 'products'))
  await syncFolder(folder)
  const goes = beside.filter((name) => !comes.includes(name))
  const plan: RestorePlan = { staging: basename(folder), aside: findFreeName(dataDir, now), comes, goes }
  await writeAtomically(restorePlanFile(dataDir), JSON.stringify(plan), { mode: 0o600, exclusive: true })
}
