import type { Facilitator } from '../payments/facilitator-client.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

/** A facilitator that was known this recently is not asked again. */
const keptMs = 30_000
/** A ledger that was written this recently is not written again: checks may come every second. */
const writtenMs = 1000

/** What `/readyz` tells. */
export interface Readiness {
  readonly ready: boolean
  readonly ledger: boolean
  readonly facilitator: boolean
}

/** Whether this process can sell: the ledger takes writes, and the facilitator knows our network. */
export function makeReadiness({ db, facilitator }: { db: LedgerDatabase; facilitator: Facilitator }) {
  let known = { until: 0, is: false }
  let writable = { until: 0, is: false }

  /** A real write: a full disk takes the lock of a transaction gladly, and fails only when pages are written. */
  const isLedgerWritable = async (): Promise<boolean> => {
    if (writable.until > Date.now() && writable.is) return true
    const at = Date.now()
    const write = db
      .insertInto('readiness')
      .values({ id: 1, at })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ at }))
    const is = await write.execute().then(
      () => true,
      () => false,
    )
    writable = { until: at + writtenMs, is }
    return is
  }
  const isFacilitatorKnown = async (): Promise<boolean> => {
    if (known.until > Date.now() && known.is) return true
    known = { until: Date.now() + keptMs, is: await facilitator.isKnown().catch(() => false) }
    return known.is
  }

  return async (): Promise<Readiness> => {
    const [ledger, knowsFacilitator] = await Promise.all([isLedgerWritable(), isFacilitatorKnown()])
    return { ready: ledger && knowsFacilitator, ledger, facilitator: knowsFacilitator }
  }
}
