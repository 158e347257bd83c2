import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../config/config.ts'

/**
 * For commands that read the data of a shop: with the wrong folder, they would create an empty ledger there, and back
 * it up or report that nothing was sold.
 *
 * @throws Error where the data folder has no ledger
 */
export function assertHasLedger({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): void {
  const folder = resolve(dataDir)
  if (databaseUrl() === undefined && !existsSync(join(folder, 'ledger.db')))
    throw new Error(`no shop has run with the data folder ${folder}; is DATA_DIR right?`)
}
