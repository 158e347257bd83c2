import type { Transaction } from 'kysely'
import { isTestNetwork } from '../../core/networks.ts'
import { toUtcDate } from '../../core/utc-date.ts'
import { allTime, type LedgerSchema } from '../../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../../storage/open-ledger-database.ts'
import { type Places, prepare } from '../../storage/prepare.ts'
import { type InUnits, type PaymentRow, paidUnits } from './payment-row.ts'

interface Counted extends InUnits, Pick<PaymentRow, 'offer_id' | 'path' | 'amount' | 'asset' | 'network'> {
  readonly settled_at: number
}

/**
 * Adds a sale to the totals of its UTC day and of all time, or subtracts it (`by` -1). This happens in the transaction
 * that writes the sale, so that no page has to count all sales. Sales for test money are not counted.
 */
export async function countSale(tx: Transaction<LedgerSchema>, sale: Counted, by: 1n | -1n): Promise<void> {
  if (isTestNetwork(sale.network)) return
  const { offer_id, path } = sale
  const day = toUtcDate(sale.settled_at)
  if ((sale.units ?? null) !== null) return countOther(tx, sale, [allTime, day], by)
  await addToTotals(tx, { day, offer_id, path, by, micros: by * BigInt(sale.amount) })
}

interface Added {
  day: string
  offer_id: string
  path: string
  by: bigint
  micros: bigint
}

const addToTotals = prepare((db: LedgerDatabase, { day, offer_id, path, by, micros }: Places<Added>) => {
  const total = { offer_id, path, count: by, micros }
  return db
    .insertInto('sale_total')
    .values([
      { ...total, day: allTime },
      { ...total, day },
    ])
    .onConflict((conflict) =>
      conflict.columns(['day', 'offer_id', 'path']).doUpdateSet((expression) => ({
        count: expression('sale_total.count', '+', expression.ref('excluded.count')),
        micros: expression('sale_total.micros', '+', expression.ref('excluded.micros')),
      })),
    )
})

/** Counts a sale in a token other than USDC separately, in its atomic units, which cannot be added to micro-USD. */
async function countOther(
  tx: Transaction<LedgerSchema>,
  sale: Counted,
  days: readonly string[],
  by: 1n | -1n,
): Promise<void> {
  const { offer_id, path, network, asset } = sale
  const units = by * paidUnits(sale)
  await tx
    .insertInto('sale_total_other')
    .values(days.map((day) => ({ day, offer_id, path, network, asset, count: by, units })))
    .onConflict((conflict) =>
      conflict.columns(['day', 'offer_id', 'path', 'network', 'asset']).doUpdateSet((expression) => ({
        count: expression('sale_total_other.count', '+', by),
        units: expression('sale_total_other.units', '+', units),
      })),
    )
    .execute()
}
