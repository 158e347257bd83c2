import { recordSale, type Sold } from './record-sale.ts'
import { openTestLedger } from './test-databases.ts'

/** Writes settled sales into the ledger of a site that is not running. */
export async function seedSales(dataDir: string, sales: readonly Sold[]): Promise<void> {
  const db = await openTestLedger(dataDir)
  for (const [number, sold] of sales.entries()) await recordSale(db, number, sold)
  await db.destroy()
}
