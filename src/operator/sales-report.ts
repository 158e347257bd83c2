import { testNetworks } from '../core/networks.ts'
import { toUtcDate } from '../core/utc-date.ts'
import { allTime } from '../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Number of sales, their revenue in micro-USD, and number of responses with a price (402). */
export interface Sum {
  readonly sales: number
  readonly micros: bigint
  readonly quotes: number
}

/** Sales of some UTC days. Sales whose transfer the chain lost are not counted; refunds are given separately. */
export interface SalesReport {
  /** Beginning of the first day, in ms since 1970. */
  readonly sinceMs: number
  readonly total: Sum
  /** Every day, the oldest first. */
  readonly days: readonly (Sum & { readonly date: string })[]
  /** The product with the highest revenue first. Includes products without sales whose price was requested. */
  readonly products: readonly (Sum & { readonly product: string })[]
  readonly reversed: { readonly count: number; readonly micros: bigint }
  readonly refunded: { readonly count: number; readonly micros: bigint }
  /** Sales for tokens other than USDC, which no other figure here includes. */
  readonly others: readonly { readonly asset: string; readonly sales: number; readonly units: bigint }[]
}

const nothing: Sum = { sales: 0, micros: 0n, quotes: 0 }
const add = (one: Sum, other: Sum): Sum => ({
  sales: one.sales + other.sales,
  micros: one.micros + other.micros,
  quotes: one.quotes + other.quotes,
})
const addTo = (sums: Map<string, Sum>, name: string, more: Sum): void =>
  void sums.set(name, add(sums.get(name) ?? nothing, more))

const totalOf = (amounts: readonly { readonly amount: string }[]) => ({
  count: amounts.length,
  micros: amounts.reduce((total, { amount }) => total + BigInt(amount), 0n),
})

/**
 * Reads sales from the totals that are updated with each sale. Only reversed sales and refunds are read row by row.
 *
 * @param days number of UTC days, including today
 */
export async function readSales(
  db: LedgerDatabase,
  { days, now }: { readonly days: number; readonly now: number },
): Promise<SalesReport> {
  const dates = Array.from({ length: days }, (_, index) => toUtcDate(now - (days - 1 - index) * dayMs))
  const [since = toUtcDate(now)] = dates
  const sinceMs = Date.parse(since)
  const [sold, told, reversed, refunded, others] = await Promise.all([
    db
      .selectFrom('sale_total')
      .select(({ fn }) => [
        'day',
        'offer_id as product',
        fn.sum<number>('count').as('sales'),
        fn.sum<number>('micros').as('micros'),
      ])
      .where('day', '>=', since)
      .where('day', '<>', allTime)
      .groupBy(['day', 'offer_id'])
      .execute(),
    db.selectFrom('quote_total').selectAll().where('day', '>=', since).execute(),
    db
      .selectFrom('sale')
      .select('amount')
      .where('settled_at', '>=', sinceMs)
      .where('reversed_at', 'is not', null)
      .where('units', 'is', null)
      .where('network', 'not in', testNetworks)
      .execute(),
    db
      .selectFrom('refund')
      .innerJoin('sale', 'sale.id', 'refund.sale_id')
      .select('refund.amount')
      .where('refund.refunded_at', '>=', sinceMs)
      .where('sale.units', 'is', null)
      .where('sale.network', 'not in', testNetworks)
      .execute(),
    db
      .selectFrom('sale_total_other')
      .select(({ fn }) => ['asset', fn.sum<number>('count').as('sales'), fn.sum<number>('units').as('units')])
      .where('day', '>=', since)
      .where('day', '<>', allTime)
      .groupBy('asset')
      .execute(),
  ])
  const byDay = new Map<string, Sum>(dates.map((date) => [date, nothing]))
  const byProduct = new Map<string, Sum>()
  for (const { day, product, sales, micros } of sold) {
    const sum = { sales, micros: BigInt(micros), quotes: 0 }
    addTo(byDay, day, sum)
    addTo(byProduct, product, sum)
  }
  for (const { day, offer_id, count } of told) {
    const sum = { ...nothing, quotes: count }
    addTo(byDay, day, sum)
    addTo(byProduct, offer_id, sum)
  }
  const perDay = dates.map((date) => ({ date, ...(byDay.get(date) ?? nothing) }))
  return {
    sinceMs,
    total: perDay.reduce<Sum>(add, nothing),
    days: perDay,
    products: [...byProduct]
      .map(([product, sum]) => ({ product, ...sum }))
      .filter(({ sales, quotes }) => sales > 0 || quotes > 0)
      .sort((a, b) =>
        a.micros !== b.micros ? (a.micros > b.micros ? -1 : 1) : b.sales - a.sales || b.quotes - a.quotes,
      ),
    reversed: totalOf(reversed),
    refunded: totalOf(refunded),
    others: others.map(({ asset, sales, units }) => ({ asset, sales, units: BigInt(units) })),
  }
}

/**
 * Sales per hundred responses with a price; undefined when there was none. It may exceed 100 %, because a client that
 * knows the price can pay without requesting it.
 */
export const toConversion = ({ sales, quotes }: Pick<Sum, 'sales' | 'quotes'>): string | undefined =>
  quotes === 0 ? undefined : `${((100 * sales) / quotes).toFixed(1)} %`
