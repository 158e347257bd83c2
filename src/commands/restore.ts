// `npm run restore`: lists backups, shows what restoring one would change, and restores it into the data folder, or its
// databases into PostgreSQL.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gameMigrations } from '../../game-server/storage/game-migrations.ts'
import { isPrefix } from '../backups/backup-tiers.ts'
import { checkBackup } from '../backups/check-backup.ts'
import { compareWithNow } from '../backups/compare-with-now.ts'
import { finishRestore } from '../backups/finish-restore.ts'
import { type BackupStore, openFolderStore } from '../backups/folder-store.ts'
import { listBackups } from '../backups/list-backups.ts'
import { DamagedBackup } from '../backups/manifest.ts'
import { restoreBackup } from '../backups/restore-backup.ts'
import { restoreFiles } from '../backups/restore-files.ts'
import { assertFree, restoreIntoDatabase } from '../backups/restore-into-database.ts'
import { type Config, readConfig } from '../config/config.ts'
import { toSaidText } from '../core/said-text.ts'
import { readStorage } from '../site/open-storage.ts'
import { ledgerMigrations } from '../storage/ledger-migrations.ts'
import type { Place } from '../storage/move/books.ts'
import { postgresPlace } from '../storage/move/postgres-place.ts'
import { sqlitePlace } from '../storage/move/sqlite-place.ts'
import { restorePlanFile } from '../storage/restore-plan-file.ts'
import { holdFolder } from './hold-folder.ts'
import { openBooks } from './open-books.ts'
import { sayMoved, sayTable } from './say-table.ts'

const help = `npm run restore                      lists the backups, the newest first
npm run restore -- PREFIX            restores a backup into the data folder; PREFIX is its name in the list, such as
                                     hourly/2026-11-22T090000Z. If DATABASE_URL is set, the databases are restored into
                                     that database, which has to be empty
npm run restore -- PREFIX --dry-run  says what that would change, and changes nothing
npm run restore -- --files FOLDER    puts the databases that Litestream has restored into FOLDER into the data folder

Stop the programs first, except to list or for a dry run. The backup is read and checked before anything changes. What
it replaces is kept in the data folder, in a folder replaced-DATE. If a restore is interrupted, run the first or the
second command again to finish it. If it was a restore into a database, name the backup again; it starts from the
beginning.
Backups are looked for in BACKUP_DIR, or in the storage of STORAGE_URL. The data folder is DATA_DIR.`

const minuteMs = 60_000

interface Shelf {
  readonly store: BackupStore
  readonly none: string
}
interface Target {
  readonly dataDir: string
  readonly shelf: Shelf
  /** The database to restore into; undefined for SQLite files. */
  readonly to: Place | undefined
}
const say = (line: string): void => console.log(line)

/** A duration for people: `5 minutes`, `3 hours`, `12 days`. */
function toAge(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / minuteMs))
  if (minutes < 120) return `${minutes} minutes`
  return minutes < 2880 ? `${Math.floor(minutes / 60)} hours` : `${Math.floor(minutes / 1440)} days`
}

const toSize = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** Opens the store of the backups, with the message for when there are none. */
async function openShelf(config: Config): Promise<Shelf> {
  const folder = resolve(config.backupDir)
  const objects = config.storesBackups ? await readStorage(config) : undefined
  if (!objects)
    return {
      store: openFolderStore(folder),
      none: `there is no backup in ${folder}; if they are elsewhere, set BACKUP_DIR`,
    }
  const { openStoredBackups } = await import('../backups/stored-backups.ts')
  return {
    store: openStoredBackups(objects, folder),
    none: 'there is no backup in the storage of STORAGE_URL; if they are in another, change it',
  }
}

async function list({ store, none }: Shelf): Promise<void> {
  const backups = await listBackups(store)
  if (backups.length === 0) {
    say(none)
    return
  }
  sayTable(
    [
      ['backup', 'age', 'size', 'sales', 'newest sale'],
      ...backups.map(({ prefix, manifest }) => {
        if (!manifest) return [prefix, 'damaged']
        const bytes = manifest.files.reduce((sum, { stored }) => sum + stored.bytes, 0)
        const sales = manifest.databases['ledger.db']?.rows['sale'] ?? 0
        return [
          prefix,
          toAge(Date.now() - Date.parse(manifest.createdAt)),
          toSize(bytes),
          String(sales),
          manifest.newestSaleAt ?? 'none',
        ]
      }),
    ],
    say,
  )
}

async function tell({ dataDir, shelf: { store }, to }: Target, prefix: string | undefined): Promise<void> {
  if (prefix === undefined) throw new Error('--dry-run needs the name of a backup; npm run restore lists them')
  if (existsSync(restorePlanFile(dataDir)))
    throw new Error('a restore was interrupted; run npm run restore without a name to finish it')
  const manifest = await checkBackup(store, prefix)
  if (to) await assertFree(to)
  const changes = await compareWithNow(dataDir, manifest, to === undefined)
  const what = to ? `${dataDir} and ${to.name}` : dataDir
  say(`${prefix} is intact. A restore would change ${what} as follows (nothing is changed now):`)
  const rows = changes.map(({ name, now, after }) => [
    name,
    now ?? 'none',
    `${after ?? 'none'}${now === after ? '' : '  *'}`,
  ])
  sayTable([['', 'now', 'after'], ...rows], say)
}

const known = { 'ledger.db': Object.keys(ledgerMigrations), 'game.db': Object.keys(gameMigrations) }

function sayWhatIsLeft(dataDir: string, aside: string): void {
  say('programs that acted for you have lost their access; let them in again when they ask')
  say('to write back what was sold since the backup, run: npm run recover -- from-chain')
  if (existsSync(aside) && aside !== dataDir) say(`what was there before is in ${aside}`)
}

const sayWhatWasFinished = (aside: string | undefined): void =>
  say(
    aside === undefined
      ? 'the interrupted restore had changed nothing'
      : `finished the interrupted restore; what it replaced is in ${aside}`,
  )

async function adopt({ dataDir, to }: Target, from: string): Promise<void> {
  if (to) throw new Error('--files is for books in SQLite files; unset DATABASE_URL')
  const aside = await restoreFiles({ dataDir, from: resolve(from), known, now: Date.now(), say })
  say(`put the databases of ${from} into ${dataDir}`)
  sayWhatIsLeft(dataDir, aside)
}

async function restore({ dataDir, shelf: { store }, to }: Target, prefix: string): Promise<void> {
  const from = { dataDir, store, prefix, known, now: Date.now(), say }
  let aside: string
  if (to) {
    const filesIn = (folder: string): Place => sqlitePlace(folder, openBooks)
    const restored = await restoreIntoDatabase({ ...from, to, filesIn })
    sayMoved(restored.tables, say)
    say(`restored ${prefix} into ${to.name}, its products and keys into ${dataDir}`)
    aside = restored.aside
  } else {
    aside = await restoreBackup(from)
    say(`restored ${prefix} into ${dataDir}`)
  }
  sayWhatIsLeft(dataDir, aside)
}

interface Said {
  readonly 'dry-run': boolean
  readonly files?: string | undefined
}

async function carryOut(positionals: readonly string[], values: Said): Promise<void> {
  const [prefix, ...rest] = positionals
  const config = readConfig(process.env)
  const dataDir = resolve(config.dataDir)
  const databaseUrl = config.databaseUrl()
  const to = databaseUrl === undefined ? undefined : postgresPlace(databaseUrl, openBooks)
  const target = { dataDir, to, shelf: await openShelf(config) }
  if (prefix !== undefined && (!isPrefix(prefix) || rest.length > 0))
    throw new Error(`${positionals.join(' ')} is not the name of a backup; npm run restore lists them`)
  else if (values.files !== undefined && (prefix !== undefined || values['dry-run']))
    throw new Error('--files takes a folder and nothing else')
  else if (values['dry-run']) await tell(target, prefix)
  else {
    const isCutOff = existsSync(restorePlanFile(dataDir))
    if (prefix !== undefined || values.files !== undefined || isCutOff) holdFolder(dataDir)
    if (isCutOff) sayWhatWasFinished(await finishRestore(dataDir))
    if (values.files !== undefined) await adopt(target, values.files)
    else await (prefix === undefined ? list(target.shelf) : restore(target, prefix))
  }
}

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      files: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) say(help)
  else await carryOut(positionals, values)
} catch (error) {
  const isUnfit = error instanceof DamagedBackup
  console.error(`${toSaidText(error)}${isUnfit ? '. It was not restored; npm run restore lists the backups' : ''}`)
  process.exitCode = 1
}
