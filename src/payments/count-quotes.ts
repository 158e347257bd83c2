import { toUtcDate } from '../core/utc-date.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { withoutSync } from '../storage/without-sync.ts'
import type { PaymentMeters } from './meters.ts'

const writeEveryMs = 5000

interface Options {
  readonly db: LedgerDatabase
  readonly now: () => number
  readonly report: (error: unknown) => void
}

/**
 * Counts issued quotes (402) by UTC day and offer; the counts are kept for good. They are written together every few
 * seconds, so that a quote costs no write of its own. A crash loses the counts of the last seconds, which is
 * acceptable.
 */
export function openQuoteCounter({ db, now, report }: Options) {
  const waiting = new Map<string, number>()
  let last = Promise.resolve()

  const write = async (): Promise<void> => {
    const day = toUtcDate(now())
    for (const [offer_id, count] of [...waiting]) {
      await db
        .insertInto('quote_total')
        .values({ day, offer_id, count })
        .onConflict((conflict) =>
          conflict
            .columns(['day', 'offer_id'])
            .doUpdateSet((expression) => ({ count: expression('quote_total.count', '+', count) })),
        )
        .modifyEnd(withoutSync)
        .execute()
      // Only now, so that a failed write is repeated; more may have been counted meanwhile.
      const rest = (waiting.get(offer_id) ?? 0) - count
      if (rest > 0) waiting.set(offer_id, rest)
      else waiting.delete(offer_id)
    }
  }
  const flush = (): Promise<void> => {
    last = last.then(write).catch(report)
    return last
  }
  const timer = setInterval(() => {
    if (waiting.size > 0) void flush()
  }, writeEveryMs)
  timer.unref()

  return {
    /** The given meters, extended to count quotes here as well. */
    along: (meters: PaymentMeters): PaymentMeters => ({
      ...meters,
      quoted(offerId) {
        meters.quoted(offerId)
        waiting.set(offerId, (waiting.get(offerId) ?? 0) + 1)
      },
    }),
    /** Writes the counts that are not written yet. Errors are reported, not thrown. */
    flush,
    /** Writes the last counts; to be called before the ledger is closed. */
    async close(): Promise<void> {
      clearInterval(timer)
      await flush()
    },
  }
}
