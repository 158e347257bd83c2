import type { SalesStatistics } from '../stats/sales-statistics.ts'
import type { Siblings } from '../storage/postgres/open-siblings.ts'

/** The interval at which sales are announced to the other sites; each announcement makes them count again. */
const tellEveryMs = 1000

const sales = 'sales'
const blocks = 'blocks'

/** Tells the other sites on the database about changes of the block list, and listens to theirs. */
export const shareBlocks = (siblings: Siblings | undefined) =>
  siblings && {
    tell: () => siblings.tell(blocks),
    onChange: (listener: () => void) => siblings.onChange(blocks, listener),
  }

/**
 * Renews the cached statistics after sales of any site on the database.
 *
 * @returns a function to call with each sale of this site
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
