import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { describeDatabase, findNewestSale } from './describe-database.ts'
import type { DatabaseName, Manifest } from './manifest.ts'

/** Milliseconds that a write of a running program is waited for. */
const busyTimeoutMs = 10_000
const pagesPerStep = 1000

interface Pinned {
  readonly name: DatabaseName
  readonly db: DatabaseSync
}

/** A connection that sees the database as it is now until it is closed, whatever others write. */
function pin(dataDir: string, name: DatabaseName): Pinned {
  const db = new DatabaseSync(join(dataDir, name), { readOnly: true, timeout: busyTimeoutMs })
  // The transaction begins with its first read.
  db.exec('begin; select count(*) from sqlite_schema')
  return { name, db }
}

/**
 * Sees both databases as they are at one moment. The game writes its log first and then what it earned into the
 * ledger, and notes last in the log that it is paid. So the game's writes are held while both are pinned, for less
 * than a millisecond, the ledger last: whatever a ledger row speaks of is in the game's file, and whatever the game
 * takes for paid is in the ledger.
 */
function pinAll(dataDir: string): Pinned[] {
  if (!existsSync(join(dataDir, 'game.db'))) return [pin(dataDir, 'ledger.db')]
  const holder = new DatabaseSync(join(dataDir, 'game.db'), { timeout: busyTimeoutMs })
  try {
    holder.exec('begin immediate')
    return [pin(dataDir, 'game.db'), pin(dataDir, 'ledger.db')]
  } finally {
    holder.close()
  }
}

/** A file that needs no other beside it: a copy keeps the journal mode, whose files belong to the original. */
async function copy({ name, db }: Pinned, folder: string): Promise<void> {
  const path = join(folder, name)
  await backup(db, path, { rate: pagesPerStep })
  const copied = new DatabaseSync(path)
  copied.exec('pragma journal_mode = delete')
  copied.close()
}

/**
 * Copies the databases, as they are at one moment, into a folder while programs write to them.
 *
 * @returns what each of them said then; `newestSaleAt` in milliseconds, null without a sale
 */
export async function takeSnapshot(dataDir: string, folder: string) {
  const pinned = pinAll(dataDir)
  try {
    const databases: Manifest['databases'] = {}
    let newestSaleAt: number | null = null
    for (const one of pinned) {
      databases[one.name] = describeDatabase(one.db)
      if (one.name === 'ledger.db') newestSaleAt = findNewestSale(one.db)
      await copy(one, folder)
    }
    return { databases, newestSaleAt }
  } finally {
    for (const { db } of pinned) db.close()
  }
}

/** The product files that a ledger names. */
export function readProductNames(ledgerFile: string): string[] {
  const db = new DatabaseSync(ledgerFile, { readOnly: true, timeout: busyTimeoutMs })
  try {
    const named = db.prepare('select distinct body_file as name from payment where body_file is not null')
    return named.all().flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
  } finally {
    db.close()
  }
}
