import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Manifest } from './manifest.ts'
import { readProductNames, takeSnapshot } from './snapshot.ts'

/** Facts about databases that were copied. */
export interface Snapshot {
  readonly databases: Manifest['databases']
  /** In milliseconds since 1970; null without a sale. */
  readonly newestSaleAt: number | null
}

/** The books to back up, which programs write to meanwhile. */
export interface BooksSource {
  /**
   * About how large a copy will be.
   *
   * @throws Error of one sentence when there are no books
   */
  measure(): Promise<number>
  /** Names of the product files that the ledger refers to now. */
  productNames(): Promise<string[]>
  /** Copies a consistent snapshot of them into SQLite files in a folder. */
  copy(folder: string, say: (line: string) => void): Promise<Snapshot>
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

/** Books that are the SQLite files of a data folder. */
export function fileBooks(dataDir: string): BooksSource {
  const ledger = join(dataDir, 'ledger.db')
  return {
    async measure() {
      if (!existsSync(ledger)) throw new Error(`there is no ledger in ${dataDir}; set DATA_DIR`)
      const files = ['ledger.db', 'ledger.db-wal', 'game.db', 'game.db-wal'].map((name) => sizeOf(join(dataDir, name)))
      return (await Promise.all(files)).reduce((sum, size) => sum + size, 0)
    },
    productNames: async () => readProductNames(ledger),
    copy: (folder) => takeSnapshot(dataDir, folder),
  }
}
