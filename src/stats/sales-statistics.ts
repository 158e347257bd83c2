import { toCents } from '../core/money.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import type { Statistics } from './statistics.ts'

const dayMs = 24 * 60 * 60 * 1000
const days = 30
const topCount = 10
/** Spec, Limits: statistics cache. */
const cacheMs = 5 * 60 * 1000

export interface SalesStatisticsOptions {
  db: LedgerDatabase
  /** Lower-case wallets of the publisher, whose purchases are not activity. */
  ownWallets: readonly string[]
  /** Offers of the game's store have their own revenue. */
  isMarketplace: (offerId: string) => boolean
  now: () => number
}

const toDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** A query over settled sales, never a counter; kept five minutes, and made anew early when a sale settles. */
export function makeSalesStatistics({ db, ownWallets, isMarketplace, now }: SalesStatisticsOptions) {
  let kept: { until: number; value: Promise<Statistics> } | undefined

  const compute = async (): Promise<Statistics> => {
    const at = now()
    let query = db
      .selectFrom('sale')
      .select(['path', 'offer_id', 'amount', 'settled_at'])
      .where('reversed_at', 'is', null)
      .orderBy('settled_at')
    if (ownWallets.length > 0) query = query.where('payer', 'not in', [...ownWallets])
    const sales = (await query.execute()).filter(({ offer_id }) => isMarketplace(offer_id))

    const today = Math.floor(at / dayMs) * dayMs
    const perDay = new Map<string, number>(
      Array.from({ length: days }, (_, index) => [toDate(today - (days - 1 - index) * dayMs), 0]),
    )
    const perPath = new Map<string, { count: number; micros: bigint }>()
    for (const { path, amount, settled_at } of sales) {
      const known = perPath.get(path) ?? { count: 0, micros: 0n }
      perPath.set(path, { count: known.count + 1, micros: known.micros + BigInt(amount) })
      const day = perDay.get(toDate(settled_at))
      if (day !== undefined) perDay.set(toDate(settled_at), day + 1)
    }
    const last = sales.at(-1)
    return {
      totalTransactions: sales.length,
      lastSaleAt: last ? new Date(last.settled_at).toISOString() : null,
      topResources: [...perPath]
        .sort(([a, x], [b, y]) => (x.micros === y.micros ? (a < b ? -1 : 1) : x.micros > y.micros ? -1 : 1))
        .slice(0, topCount)
        .map(([path, { count, micros }]) => ({ path, count, totalCents: toCents(micros) })),
      last30Days: [...perDay].map(([date, count]) => ({ date, count })),
      updatedAt: new Date(at).toISOString(),
    }
  }

  return {
    read(): Promise<Statistics> {
      if (!kept || kept.until <= now()) {
        const value = compute()
        kept = { until: now() + cacheMs, value }
        value.catch(() => {
          kept = undefined
        })
      }
      return kept.value
    },
    /** A sale settled: the next reader gets fresh figures. */
    renew(): void {
      kept = undefined
    },
  }
}
