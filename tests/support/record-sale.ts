import { countSale } from '../../src/payments/ledger/sale-totals.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'

/** The fields of a settled sale that a test sets; the others get default values. */
export interface Sold {
  readonly path: string
  readonly amount: string
  readonly settledAt: number
  readonly payer?: string
  readonly offerId?: string
}

/** Writes a settled sale and its payment into a ledger, as settlement does. Each `number` is another sale. */
export async function recordSale(db: LedgerDatabase, number: number, sold: Sold): Promise<void> {
  const { path, amount, settledAt, payer = '0xbuyer', offerId = path } = sold
  const shared = { product: 'p', path, amount, asset: '0xc', network: 'n', pay_to: '0xb', payer, offer_id: offerId }
  const key = `k${number}`
  await db
    .insertInto('payment')
    .values({
      ...shared,
      key,
      fingerprint: 'f',
      authorization: '{}',
      nonce: `0x${number}`,
      valid_before: 1,
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
  const facts = { payment_key: key, transaction_hash: '0xt', settled_at: settledAt, grants: null }
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('sale')
      .values({ ...shared, ...facts, id: `r_${number}` })
      .execute()
    await countSale(tx, { ...shared, settled_at: settledAt }, 1n)
  })
}
