import type { Shop } from '../config/shop.ts'
import type { Alternate } from '../core/alternate.ts'
import { showUnits } from '../core/assets.ts'
import { toInline, toSections, toTable } from '../core/markdown.ts'
import { toMinuteText } from '../core/minute-text.ts'
import { toDisplay } from '../core/money.ts'
import type { Statistics } from '../stats/statistics.ts'

const microsPerCent = 10_000n

/** The page of sales statistics as markdown, made per request. */
export function toSalesAlternate(statistics: Statistics, { mode, baseUrl }: Pick<Shop, 'mode' | 'baseUrl'>): Alternate {
  const { totalTransactions, lastSaleAt, topResources, last30Days, otherAssets = [], updatedAt } = statistics
  const lately = last30Days.reduce((sum, { count }) => sum + count, 0)
  const products = topResources.map(({ path, count, totalCents }) => [
    toInline(path),
    String(count),
    toDisplay(BigInt(totalCents) * microsPerCent),
  ])
  return {
    path: '/stats',
    title: 'Sales',
    summary: `Settled sales to others, counted from the ledger${mode === 'sandbox' ? ', in simulated money' : ''}.`,
    updatedAt: new Date(updatedAt),
    body: toSections(
      `Total: ${totalTransactions}. Last 30 days: ${lately}. Last sale: ${lastSaleAt === null ? 'none yet' : toMinuteText(new Date(lastSaleAt))}.`,
      '## Sales per product',
      products.length > 0 ? toTable(['Address', 'Sales', 'Revenue'], products) : 'Nothing has been sold yet.',
      ...otherAssets.map(
        ({ asset, count, totalUnits }) => `For other tokens: ${count}, ${showUnits(BigInt(totalUnits), asset)}.`,
      ),
      '## Sales per day',
      toTable(
        ['Day (UTC)', 'Sales'],
        last30Days.map(({ date, count }) => [date, String(count)]),
      ),
      `Updated ${toMinuteText(new Date(updatedAt))}. For programs: [/api/stats.json](${baseUrl}/api/stats.json)`,
    ),
  }
}
