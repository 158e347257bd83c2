import type { Finding, NamedFinding } from '../core/finding.ts'
import { type Gas, stalled } from '../health/check-settlement.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

/** A ledger that was written this recently is not written again: checks may come every second. */
const writtenMs = 1000

/** What `/readyz` tells. */
export interface Readiness {
  /** False when anything was found that keeps this program from selling. */
  readonly ready: boolean
  readonly ledger: boolean
  readonly facilitator: boolean
  /** Whether what is sold is settled: transactions are mined, and somebody pays for their gas. */
  readonly settling: boolean
  /** The wallet that pays for gas, where it is ours. */
  readonly gas?: Gas
  /** Each part that a sale needs, and how it was found. */
  readonly findings: readonly NamedFinding[]
}

interface ReadinessOptions {
  readonly db: LedgerDatabase
  readonly isSettling: () => boolean
  readonly health: {
    readonly findings: () => Promise<NamedFinding[]>
    readonly gas: () => Gas | undefined
  }
}

const written: Finding = { is: 'ok', sentence: 'The ledger takes writes.' }
const unwritten: Finding = {
  is: 'failure',
  sentence: 'The ledger cannot be written, so nothing can be sold.',
  advice: 'Is the disk full, or the database down?',
}

/** Whether this process can sell: the ledger takes writes, money moves, and nothing that a sale needs is out of order. */
export function makeReadiness({ db, isSettling, health }: ReadinessOptions) {
  let writable = { until: 0, is: false }

  /** A real write: a full disk takes the lock of a transaction gladly, and fails only when pages are written. */
  const isLedgerWritable = async (): Promise<boolean> => {
    if (writable.until > performance.now() && writable.is) return true
    const at = Date.now()
    const write = db
      .insertInto('readiness')
      .values({ id: 1, at })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ at }))
    const is = await write.execute().then(
      () => true,
      () => false,
    )
    writable = { until: performance.now() + writtenMs, is }
    return is
  }

  return async (): Promise<Readiness> => {
    const [ledger, looked] = await Promise.all([isLedgerWritable(), health.findings()])
    const others = looked.filter(({ name }) => name !== 'settlement')
    const own = looked.find(({ name }) => name === 'settlement')
    // What buyers live through counts at once, whatever a facilitator says of itself.
    const settlement = isSettling() ? own : { ...stalled, name: 'settlement' }
    const findings = [
      { name: 'ledger', ...(ledger ? written : unwritten) },
      ...(settlement ? [settlement] : []),
      ...others,
    ]
    const facilitator = findings.find(({ name }) => name === 'facilitator')
    const gas = health.gas()
    return {
      ready: facilitator !== undefined && findings.every(({ is }) => is !== 'failure'),
      ledger,
      facilitator: facilitator !== undefined && facilitator.is !== 'failure',
      settling: settlement?.is !== 'failure',
      ...(gas && { gas }),
      findings,
    }
  }
}
