import type { Finding, NamedFinding } from '../core/finding.ts'
import { type Gas, stalled } from '../health/check-settlement.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

/** How long a successful write to the ledger counts, because checks may come every second. */
const writtenMs = 1000

/** The body of `/readyz`. */
export interface Readiness {
  /** False when anything keeps this program from selling. */
  readonly ready: boolean
  readonly ledger: boolean
  readonly facilitator: boolean
  /** Whether payments are being settled: transactions are mined, and somebody pays for their gas. */
  readonly settling: boolean
  /** The wallet that pays for gas, where it is ours. */
  readonly gas?: Gas
  /** The finding about each part that a sale needs. */
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

/**
 * Makes the check whether this process can sell: the ledger is writable, payments are settled, and every part that a
 * sale needs works.
 */
export function makeReadiness({ db, isSettling, health }: ReadinessOptions) {
  let writable = { until: 0, is: false }

  /** Tests with a real write: on a full disk a transaction can still begin, and fails only when pages are written. */
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
    // The observed settlements take precedence over what a facilitator reports about itself.
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
