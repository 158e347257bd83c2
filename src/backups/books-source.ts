import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Manifest } from './manifest.ts'
import { readProductNames, takeSnapshot } from './snapshot.ts'

/** What was copied, and what it said. */
export interface Snapshot {
  readonly databases: Manifest['databases']
  /** In milliseconds; null without a sale. */
  readonly newestSaleAt: number | null
}

/** Where the books are that are backed up, while programs write to them. */
export interface BooksSource {
  /**
   * About how large a copy will be.
   *
   * @throws Error of one sentence when there are no books
   */
  measure(): Promise<number>
  /** The product files that the ledger names now. */
  productNames(): Promise<string[]>
  /** Copies them, as they are at one moment, into SQLite files in a folder. */
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
