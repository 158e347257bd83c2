import type { SalesStatistics } from '../stats/sales-statistics.ts'
import type { Siblings } from '../storage/postgres/open-siblings.ts'

/** A crowd that buys makes the others count anew this often. */
const tellEveryMs = 1000

const sales = 'sales'
const blocks = 'blocks'

/** The other sites on the database of this one, as the list of who may buy nothing knows them. */
export const shareBlocks = (siblings: Siblings | undefined) =>
  siblings && {
    tell: () => siblings.tell(blocks),
    onChange: (listener: () => void) => siblings.onChange(blocks, listener),
  }

/**
 * Keeps statistics from outlasting the sales of any site on the database.
 *
 * @returns to be called with each sale of this one
 */
export function shareSales(siblings: Siblings | undefined, { renew }: Pick<SalesStatistics, 'renew'>): () => void {
  if (!siblings) return renew
  siblings.onChange(sales, renew)
  let isDue = false
  return () => {
    renew()
    if (isDue) return
    isDue = true
    setTimeout(() => {
      isDue = false
      siblings.tell(sales)
    }, tellEveryMs).unref()
  }
}
