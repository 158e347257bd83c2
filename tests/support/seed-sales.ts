import { join } from 'node:path'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { recordSale, type Sold } from './record-sale.ts'

/** Writes settled sales into the ledger of a site that is not running. */
export async function seedSales(dataDir: string, sales: readonly Sold[]): Promise<void> {
  const db = await openLedgerDatabase(join(dataDir, 'ledger.db'))
  for (const [number, sold] of sales.entries()) await recordSale(db, number, sold)
  await db.destroy()
}
