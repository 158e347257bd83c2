import { join } from 'node:path'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'

interface Sold {
  path: string
  amount: string
  settledAt: number
}

/** Writes settled sales into the ledger of a site that is not running. */
export async function seedSales(dataDir: string, sales: readonly Sold[]): Promise<void> {
  const db = await openLedgerDatabase(join(dataDir, 'ledger.db'))
  for (const [number, { path, amount, settledAt }] of sales.entries()) {
    const shared = {
      product: 'p',
      path,
      amount,
      asset: '0xc',
      network: 'n',
      pay_to: '0xb',
      payer: '0xa',
      offer_id: path,
    }
    const payment = { key: `k${number}`, fingerprint: 'f', authorization: '{}', nonce: `0x${number}`, valid_before: 1 }
    await db
      .insertInto('payment')
      .values({
        ...shared,
        ...payment,
        state: 'settled',
        owner: 'o',
        lease_until: 0,
        fence: 1,
        body_bytes: 1,
        transaction_hash: '0xt',
        deliveries: 1,
        created_at: 1,
      })
      .execute()
    await db
      .insertInto('sale')
      .values({
        ...shared,
        id: `r_${number}`,
        payment_key: payment.key,
        transaction_hash: '0xt',
        settled_at: settledAt,
      })
      .execute()
  }
  await db.destroy()
}
