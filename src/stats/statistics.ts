/** The body of `/api/stats.json` (spec: Activity statistics). */
export interface Statistics {
  totalTransactions: number
  lastSaleAt: string | null
  topResources: { path: string; count: number; totalCents: number }[]
  /** Thirty UTC days, oldest first; the last is today. */
  last30Days: { date: string; count: number }[]
  /** Sales for tokens other than USDC, which are not part of the cents; absent when there are none. */
  otherAssets?: { network: string; asset: string; symbol: string; count: number; totalUnits: string }[]
  updatedAt: string
}
