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

interface Options {
  readonly ledger: Pick<Ledger, 'hasPast' | 'purge' | 'forgetFailed'>
  readonly now: () => number
  /** When the newest block was made, in milliseconds; throws while nobody can tell. */
  readonly chainTime: () => Promise<number>
}

/**
 * Drops what the redelivery of products and the answers to old signatures need no longer. Sales and receipts stay. Time
 * has passed when the chain says so, too: a clock of ours that was set ahead must not take from buyers what they have
 * paid for. The chain is asked where there is something to drop, and nothing is dropped while it does not answer.
 */
export async function forget({ ledger, now, chainTime }: Options): Promise<Forgotten> {
  const [soldMs, failedMs] = [redeliveryDays * dayMs, failedDays * dayMs]
  const here = now()
  const at = (await ledger.hasPast(here - soldMs, here - failedMs)) ? Math.min(here, await chainTime()) : here
  const payments = await ledger.forgetFailed(at - failedMs)
  // Ends in a storage, which may be away.
  const products = await ledger.purge(at - soldMs)
  return { products, payments }
}
