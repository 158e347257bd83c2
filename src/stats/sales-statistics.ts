import { symbolOf } from '../core/assets.ts'
import { toCents } from '../core/money.ts'
import { testNetworks } from '../core/networks.ts'
import { toUtcDate } from '../core/utc-date.ts'
import { allTime, storeOffers } from '../storage/ledger-schema.ts'
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
  now: () => number
}

interface Total {
  count: number
  micros: bigint
}

function add(totals: Map<string, Total>, name: string, { count, micros }: Total): void {
  const known = totals.get(name) ?? { count: 0, micros: 0n }
  totals.set(name, { count: known.count + count, micros: known.micros + micros })
}

/**
 * Statistics of sales, without the publisher's own purchases, test networks, and the game's store, which shows its own
 * revenue. They are computed from the totals that are updated with each sale, and cached for five minutes or until a
 * sale settles.
 */
export function makeSalesStatistics({ db, ownWallets, now }: SalesStatisticsOptions) {
  let kept: { at: number; value: Promise<Statistics> } | undefined
  const own = [...ownWallets]
  const standing = db
    .selectFrom('sale')
    .where('reversed_at', 'is', null)
    .where('offer_id', 'not like', storeOffers)
    .where('network', 'not in', testNetworks)

  const findOwn = async () =>
    own.length === 0
      ? []
      : standing
          .select(['path', 'amount', 'units', 'asset', 'network', 'settled_at'])
          .where('payer', 'in', own)
          .execute()

  const findLast = async (): Promise<string | null> => {
    const newest = standing.select('settled_at').orderBy('settled_at', 'desc').limit(1)
    const last = await (own.length === 0 ? newest : newest.where('payer', 'not in', own)).executeTakeFirst()
    return last ? new Date(last.settled_at).toISOString() : null
  }

  const findOthers = (window: readonly string[]) =>
    db
      .selectFrom('sale_total_other')
      .selectAll()
      .where('day', 'in', [allTime, ...window])
      .where('offer_id', 'not like', storeOffers)
      .execute()

  const compute = async (): Promise<Statistics> => {
    const at = now()
    const window = Array.from({ length: days }, (_, index) => toUtcDate(at - (days - 1 - index) * dayMs))
    const counted = await db
      .selectFrom('sale_total')
      .selectAll()
      .where('day', 'in', [allTime, ...window])
      .where('offer_id', 'not like', storeOffers)
      .execute()
    const perDay = new Map<string, Total>()
    const perPath = new Map<string, Total>()
    for (const { day, path, count, micros } of counted) {
      const total = { count, micros: BigInt(micros) }
      if (day === allTime) add(perPath, path, total)
      else add(perDay, day, total)
    }
    const others = await findOthers(window)
    const perAsset = new Map<string, Total>()
    for (const { day, network, asset, count, units } of others) {
      if (day === allTime) add(perAsset, `${network}|${asset}`, { count, micros: BigInt(units) })
      else add(perDay, day, { count, micros: 0n })
    }
    for (const { path, amount, units, network, asset, settled_at } of await findOwn()) {
      if (units === null) add(perPath, path, { count: -1, micros: -BigInt(amount) })
      else add(perAsset, `${network}|${asset}`, { count: -1, micros: -BigInt(units) })
      add(perDay, toUtcDate(settled_at), { count: -1, micros: 0n })
    }
    const otherAssets = [...perAsset]
      .filter(([, { count }]) => count > 0)
      .map(([name, { count, micros }]) => {
        const [network = '', asset = ''] = name.split('|')
        return { network, asset, symbol: symbolOf(asset), count, totalUnits: micros.toString() }
      })
    return {
      totalTransactions: [...perPath.values(), ...perAsset.values()].reduce((sum, { count }) => sum + count, 0),
      lastSaleAt: await findLast(),
      topResources: [...perPath]
        .filter(([, { count }]) => count > 0)
        .sort(([a, x], [b, y]) => (x.micros === y.micros ? (a < b ? -1 : 1) : x.micros > y.micros ? -1 : 1))
        .slice(0, topCount)
        .map(([path, { count, micros }]) => ({ path, count, totalCents: toCents(micros) })),
      last30Days: window.map((date) => ({ date, count: perDay.get(date)?.count ?? 0 })),
      ...(otherAssets.length > 0 && { otherAssets }),
      updatedAt: new Date(at).toISOString(),
    }
  }

  return {
    read(): Promise<Statistics> {
      const at = now()
      // A cached value from the future was computed before the clock was set back.
      if (!kept || at - kept.at >= cacheMs || at < kept.at) {
        const value = compute()
        kept = { at, value }
        value.catch(() => {
          kept = undefined
        })
      }
      return kept.value
    },
    /** To be called when a sale settles: the next `read` computes the statistics anew. */
    renew(): void {
      kept = undefined
    },
  }
}

export type SalesStatistics = ReturnType<typeof makeSalesStatistics>
