import { sql } from 'kysely'
import type { Facilitator } from '../payments/facilitator-client.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import type { PlainHandler } from './front.ts'

/** A facilitator that was known this recently is not asked again. */
const keptMs = 30_000

/** `/readyz`: 200 while this process can sell (the ledger takes writes, the facilitator knows our network), else 503. */
export function makeReadiness({ db, facilitator }: { db: LedgerDatabase; facilitator: Facilitator }): PlainHandler {
  let known = { until: 0, is: false }

  const isLedgerWritable = (): Promise<boolean> =>
    db
      .transaction()
      // Takes the write lock and touches the file; changes no row.
      .execute((tx) => sql`update payment set deliveries = deliveries where key = ''`.execute(tx))
      .then(
        () => true,
        () => false,
      )
  const isFacilitatorKnown = async (): Promise<boolean> => {
    if (known.until > Date.now() && known.is) return true
    known = { until: Date.now() + keptMs, is: await facilitator.isKnown().catch(() => false) }
    return known.is
  }

  return async (_, response) => {
    const [ledger, knowsFacilitator] = await Promise.all([isLedgerWritable(), isFacilitatorKnown()])
    const ready = ledger && knowsFacilitator
    const body = JSON.stringify({ ready, ledger, facilitator: knowsFacilitator })
    response.writeHead(ready ? 200 : 503, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(body)
  }
}
