import { existsSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { isDamage } from './damaged-file.ts'
import { describeDatabase, findNewestSale } from './describe-database.ts'
import { permissionTable } from './keep-programs.ts'
import type { DatabaseFacts, DatabaseName, Manifest } from './manifest.ts'

/** One figure before and after a restore; undefined where there is none. */
export interface Change {
  readonly name: string
  readonly now: string | undefined
  readonly after: string | undefined
}

interface Now extends DatabaseFacts {
  readonly newestSaleAt: number | null
}

/** Describes a database without writing. Without a log it is opened as immutable, or SQLite would create log files. */
function readNow(path: string): Now {
  const url = pathToFileURL(path)
  const log = `${path}-wal`
  if (!existsSync(log) || statSync(log).size === 0) url.searchParams.set('immutable', '1')
  const db = new DatabaseSync(url, { readOnly: true, timeout: 5000 })
  try {
    return { ...describeDatabase(db), newestSaleAt: findNewestSale(db) }
  } finally {
    db.close()
  }
}

/** Undefined for a damaged database, which may be the reason for the restore. */
function tryToReadNow(path: string): Now | undefined {
  try {
    return readNow(path)
  } catch (error) {
    if (isDamage(error)) return undefined
    throw error
  }
}

const toTime = (ms: number | null | undefined): string | undefined =>
  ms === null || ms === undefined ? undefined : new Date(ms).toISOString()

function compare(name: string, now: Record<string, unknown> = {}, after: Record<string, unknown> = {}): Change[] {
  const keys = [...new Set([...Object.keys(now), ...Object.keys(after)])].sort()
  const textOf = (value: unknown) => (value === undefined ? undefined : String(value))
  return keys
    .filter((key) => key !== permissionTable)
    .map((key) => ({ name: `${name} ${key}`, now: textOf(now[key]), after: textOf(after[key]) }))
}

/**
 * Compares the data folder with a backup: rows and sums per table, the newest sale, and the number of products.
 *
 * @param hasBooks whether the current books are in the data folder; otherwise there are none
 * @throws Error when a current database cannot be read for another reason than damage
 */
export async function compareWithNow(dataDir: string, manifest: Manifest, hasBooks = true): Promise<Change[]> {
  const changes: Change[] = []
  let newestSaleAt: number | null = null
  for (const name of ['ledger.db', 'game.db'] satisfies DatabaseName[]) {
    const path = join(dataDir, name)
    const isThere = hasBooks && existsSync(path)
    const now = isThere ? tryToReadNow(path) : undefined
    const after = manifest.databases[name]
    if (name === 'ledger.db') newestSaleAt = now?.newestSaleAt ?? null
    const what = name.replace('.db', '')
    if (isThere && !now) changes.push({ name: what, now: 'damaged', after: after ? 'whole' : undefined })
    changes.push(...compare(what, now?.rows, after?.rows), ...compare(`${what} sum of`, now?.sums, after?.sums))
  }
  const products = await readdir(join(dataDir, 'products')).catch(() => [])
  const kept = manifest.files.filter(({ name }) => name.startsWith('products/'))
  return [
    ...changes,
    { name: 'newest sale', now: toTime(newestSaleAt), after: manifest.newestSaleAt ?? undefined },
    { name: 'product files', now: String(products.length), after: String(kept.length) },
  ]
}
