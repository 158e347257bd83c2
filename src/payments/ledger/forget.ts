import type { Ledger } from './ledger.ts'
import { redeliveryDays } from './redelivery-proof.ts'

const dayMs = 24 * 60 * 60 * 1000
const failedDays = 90

/** What was dropped because nobody can ask for it any more. */
export interface Forgotten {
  /** Bytes of sold products. */
  readonly products: number
  /** Payments that never became a sale. */
  readonly payments: number
}

/** Drops what the redelivery of products and the answers to old signatures need no longer. Sales and receipts stay. */
export async function forget({ ledger, now }: { ledger: Ledger; now: () => number }): Promise<Forgotten> {
  const payments = await ledger.forgetFailed(now() - failedDays * dayMs)
  // Ends in a storage, which may be away.
  const products = await ledger.purge(now() - redeliveryDays * dayMs)
  return { products, payments }
}
