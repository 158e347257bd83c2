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
  let writtenUntil = 0
  let writing: Promise<boolean> | undefined

  /** Tests with a real write: on a full disk a transaction can still begin, and fails only when pages are written. */
  const write = async (): Promise<boolean> => {
    const at = Date.now()
    const row = db
      .insertInto('readiness')
      .values({ id: 1, at })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ at }))
    const is = await row.execute().then(
      () => true,
      () => false,
    )
    if (is) writtenUntil = performance.now() + writtenMs
    return is
  }

  const isLedgerWritable = async (): Promise<boolean> => {
    if (writtenUntil > performance.now()) return true
    // While the ledger is slow, all checks wait for one write.
    writing ??= write().finally(() => {
      writing = undefined
    })
    return writing
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
