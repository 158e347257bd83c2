import type { Ledger } from './ledger.ts'
import { redeliveryDays } from './redelivery-proof.ts'

const dayMs = 24 * 60 * 60 * 1000
const failedDays = 90

/** What was dropped because no request can need it any more. */
export interface Forgotten {
  /** How many sold products lost their bytes. */
  readonly products: number
  /** How many payments were deleted that never became a sale. */
  readonly payments: number
}

interface Options {
  readonly ledger: Pick<Ledger, 'hasPast' | 'purge' | 'forgetFailed'>
  readonly now: () => number
  /** When the newest block was made, in milliseconds; throws while the RPC does not answer. */
  readonly chainTime: () => Promise<number>
}

/**
 * Drops the bytes of products that can no longer be fetched again, and old failed payments. Sales and receipts stay.
 * The earlier of our clock and the chain's time counts: if our clock runs ahead, buyers must not lose what they paid
 * for. The chain is only asked where there is something to drop, and nothing is dropped while it does not answer.
 *
 * @throws when there is something to drop and the RPC does not answer
 */
export async function forget({ ledger, now, chainTime }: Options): Promise<Forgotten> {
  const [soldMs, failedMs] = [redeliveryDays * dayMs, failedDays * dayMs]
  const here = now()
  const at = (await ledger.hasPast(here - soldMs, here - failedMs)) ? Math.min(here, await chainTime()) : here
  const payments = await ledger.forgetFailed(at - failedMs)
  // Last, because it may need an object storage that cannot be reached.
  const products = await ledger.purge(at - soldMs)
  return { products, payments }
}
