import type { Transaction } from 'kysely'
import { toUtcDate } from '../../core/utc-date.ts'
import { allTime, type LedgerSchema } from '../../storage/ledger-schema.ts'
import type { PaymentRow } from './payment-row.ts'

interface Counted extends Pick<PaymentRow, 'offer_id' | 'path' | 'amount'> {
  readonly settled_at: number
}

/**
 * Adds a sale to the totals of its day and of all time, or takes it out of them; within the transaction that writes the
 * sale, so that no page ever has to count all sales.
 */
export async function countSale(tx: Transaction<LedgerSchema>, sale: Counted, by: 1n | -1n): Promise<void> {
  const { offer_id, path } = sale
  const micros = by * BigInt(sale.amount)
  for (const day of [allTime, toUtcDate(sale.settled_at)])
    await tx
      .insertInto('sale_total')
      .values({ day, offer_id, path, count: by, micros })
      .onConflict((conflict) =>
        conflict.columns(['day', 'offer_id', 'path']).doUpdateSet((expression) => ({
          count: expression('sale_total.count', '+', by),
          micros: expression('sale_total.micros', '+', micros),
        })),
      )
      .execute()
}
