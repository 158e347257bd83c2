// `npm run restore`: lists backups, says what one would change, and puts the data folder back to it.

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
import { restoreBackup } from '../backups/restore-backup.ts'
import { type Config, readConfig } from '../config/config.ts'
import { toSaidText } from '../core/said-text.ts'
import { readStorage } from '../site/open-storage.ts'
import { ledgerMigrations } from '../storage/ledger-migrations.ts'
import { restorePlanFile } from '../storage/restore-plan-file.ts'
import { holdFolder } from './hold-folder.ts'

const help = `npm run restore                      lists the backups, the newest first
npm run restore -- PREFIX            puts the data folder back to this one, such as hourly/2026-11-22T090000Z
npm run restore -- PREFIX --dry-run  says what that would change, and changes nothing

Stop the programs first. The backup is read and tried before anything changes, and what it replaces is kept in
the data folder under a name with the date. A restore that was cut off is finished by any of the first two.
Backups are looked for in BACKUP_DIR, or in the storage of STORAGE_URL; the data folder is DATA_DIR.`

const minuteMs = 60_000

interface Place {
  readonly store: BackupStore
  readonly none: string
}
const say = (line: string): void => console.log(line)

/** `5 minutes`, `3 hours`, `12 days`. */
function toAge(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / minuteMs))
  if (minutes < 120) return `${minutes} minutes`
  return minutes < 2880 ? `${Math.floor(minutes / 60)} hours` : `${Math.floor(minutes / 1440)} days`
}

const toSize = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** Columns padded to their widest cell. */
function sayTable(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  for (const row of rows)
    say(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

/** Where the backups are, and its name for people. */
async function openPlace(config: Config): Promise<Place> {
  const folder = resolve(config.backupDir)
  const objects = config.storesBackups ? await readStorage(config) : undefined
  if (!objects) return { store: openFolderStore(folder), none: `there is no backup in ${folder}; set BACKUP_DIR` }
  const { openStoredBackups } = await import('../backups/stored-backups.ts')
  return { store: openStoredBackups(objects, folder), none: 'there is no backup in the storage; look at STORAGE_URL' }
}

async function list({ store, none }: Place): Promise<void> {
  const backups = await listBackups(store)
  if (backups.length === 0) {
    say(none)
    return
  }
  sayTable([
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
  ])
}

async function tell(dataDir: string, { store }: Place, prefix: string | undefined): Promise<void> {
  if (prefix === undefined) throw new Error('--dry-run needs the name of a backup; npm run restore lists them')
  if (existsSync(restorePlanFile(dataDir)))
    throw new Error('a restore was cut off; run npm run restore without a name to finish it')
  const manifest = await checkBackup(store, prefix)
  const changes = await compareWithNow(dataDir, manifest)
  say(`${prefix} is whole. A restore would change ${dataDir} so (nothing is changed now):`)
  sayTable([
    ['', 'now', 'after'],
    ...changes.map(({ name, now, after }) => [name, now ?? 'none', `${after ?? 'none'}${now === after ? '' : '  *'}`]),
  ])
}

async function restore(dataDir: string, { store }: Place, prefix: string): Promise<void> {
  const known = { 'ledger.db': Object.keys(ledgerMigrations), 'game.db': Object.keys(gameMigrations) }
  const aside = await restoreBackup({
    dataDir,
    store,
    prefix,
    known,
    now: Date.now(),
    say,
  })
  say(`restored ${prefix} into ${dataDir}`)
  say('programs that were allowed to act for you must be allowed again')
  say('what was sold since the backup is written back by: npm run recover -- from-chain')
  if (existsSync(aside)) say(`what was there before is in ${aside}`)
}

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  })
  const [prefix, ...rest] = positionals
  const config = readConfig(process.env)
  const place = await openPlace(config)
  const dataDir = resolve(config.dataDir)
  if (values.help) say(help)
  else if (config.databaseUrl() !== undefined)
    throw new Error(
      'the books are in the database of DATABASE_URL: restore it with the tools of PostgreSQL; to restore a backup into SQLite files, unset DATABASE_URL',
    )
  else if (prefix !== undefined && (!isPrefix(prefix) || rest.length > 0))
    throw new Error(`${positionals.join(' ')} is not the name of a backup; npm run restore lists them`)
  else if (values['dry-run']) await tell(dataDir, place, prefix)
  else {
    const isCutOff = existsSync(restorePlanFile(dataDir))
    if (prefix !== undefined || isCutOff) holdFolder(dataDir)
    if (isCutOff) say(`finished the restore that was cut off; what it replaced is in ${await finishRestore(dataDir)}`)
    await (prefix === undefined ? list(place) : restore(dataDir, place, prefix))
  }
} catch (error) {
  console.error(toSaidText(error))
  process.exitCode = 1
}
