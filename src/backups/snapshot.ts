import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { describeDatabase, findNewestSale } from './describe-database.ts'
import type { DatabaseName, Manifest } from './manifest.ts'

/** How long to wait for a running program's write, in ms. */
const busyTimeoutMs = 10_000
const pagesPerStep = 1000

interface Pinned {
  readonly name: DatabaseName
  readonly db: DatabaseSync
}

/** Opens a connection with a read transaction: until it is closed, it sees the database as it is now. */
function pin(dataDir: string, name: DatabaseName): Pinned {
  const db = new DatabaseSync(join(dataDir, name), { readOnly: true, timeout: busyTimeoutMs })
  // The transaction begins with its first read.
  db.exec('begin; select count(*) from sqlite_schema')
  return { name, db }
}

/**
 * Opens a consistent snapshot of both databases. The game first writes to its log in `game.db`, then credits earnings
 * in the ledger, and then notes in its log that they are credited. So the game's writes are blocked while both
 * snapshots are opened, for less than a millisecond, the ledger's last: what a ledger row refers to is in `game.db`,
 * and what `game.db` notes as credited is in the ledger.
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

/** Copies a database into a single file: the copy has WAL mode like its original, and must not need a log beside it. */
async function copy({ name, db }: Pinned, folder: string): Promise<void> {
  const path = join(folder, name)
  await backup(db, path, { rate: pagesPerStep })
  const copied = new DatabaseSync(path)
  copied.exec('pragma journal_mode = delete')
  copied.close()
}

/**
 * Copies a consistent snapshot of the databases into a folder, while programs write to them.
 *
 * @returns the facts of each snapshot; `newestSaleAt` in ms since 1970, null without a sale
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

/** Names of the product files that a ledger refers to. */
export function readProductNames(ledgerFile: string): string[] {
  const db = new DatabaseSync(ledgerFile, { readOnly: true, timeout: busyTimeoutMs })
  try {
    const named = db.prepare('select distinct body_file as name from payment where body_file is not null')
    return named.all().flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
  } finally {
    db.close()
  }
}
