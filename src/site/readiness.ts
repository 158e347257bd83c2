import type { Facilitator } from '../payments/facilitator/facilitator-client.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import type { OwnFacilitatorHealth } from './own-facilitator.ts'

/** A facilitator that was known this recently is not asked again. */
const keptMs = 30_000
/** A ledger that was written this recently is not written again: checks may come every second. */
const writtenMs = 1000
/** The same for how our own facilitator stands. */
const askedMs = 2_000

/** What `/readyz` tells. */
export interface Readiness {
  readonly ready: boolean
  readonly ledger: boolean
  readonly facilitator: boolean
  /** Whether what is sold is settled: transactions are mined, and somebody pays for their gas. */
  readonly settling: boolean
  /** The wallet that pays for gas, where it is ours. */
  readonly gas?: { readonly settlementsLeft: number; readonly isLow: boolean }
}

interface ReadinessOptions {
  readonly db: LedgerDatabase
  readonly facilitator: Facilitator
  readonly isSettling: () => boolean
  /** Asks our own facilitator how it stands; absent when it is somebody else's. */
  readonly askOwn?: (() => Promise<OwnFacilitatorHealth | undefined>) | undefined
}

/** Whether this process can sell: the ledger takes writes, the facilitator knows our network, and money moves. */
export function makeReadiness({ db, facilitator, isSettling, askOwn }: ReadinessOptions) {
  let known = { until: 0, is: false }
  let writable = { until: 0, is: false }
  let asked: { until: number; own: Promise<OwnFacilitatorHealth | undefined> } | undefined

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

  const askOnce = (): Promise<OwnFacilitatorHealth | undefined> => {
    const now = Date.now()
    if (!asked || asked.until < now) asked = { until: now + askedMs, own: askOwn?.() ?? Promise.resolve(undefined) }
    return asked.own
  }

  return async (): Promise<Readiness> => {
    const [ledger, knowsFacilitator, own] = await Promise.all([isLedgerWritable(), isFacilitatorKnown(), askOnce()])
    const settling = isSettling() && own?.settling !== false
    const ready = ledger && knowsFacilitator && settling
    return { ready, ledger, facilitator: knowsFacilitator, settling, ...(own?.gas && { gas: own.gas }) }
  }
}
