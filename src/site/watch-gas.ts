import { type Log, toLogText } from '../core/log.ts'
import type { OwnStanding } from '../health/own-facilitator.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { announce } from '../webhooks/announce.ts'

interface Options {
  readonly db: LedgerDatabase
  /** Asks our own facilitator for its state; absent when it is somebody else's. */
  readonly askOwn: (() => Promise<OwnStanding | undefined>) | undefined
  readonly now: () => number
  readonly log: Log
}

const lookEveryMs = 60_000

/**
 * Announces at most once a day, over all processes and restarts, that the gas wallet can pay for only few more
 * settlements.
 *
 * @returns a function that stops the checks
 */
export function watchGas({ db, askOwn, now, log }: Options): () => void {
  if (!askOwn) return () => {}
  const look = async (): Promise<void> => {
    const gas = (await askOwn())?.gas
    if (!gas?.isLow) return
    const at = now()
    const { settlementsLeft } = gas
    await announce(db, {
      type: 'gas.low',
      at,
      data: { settlementsLeft },
      once: new Date(at).toISOString().slice(0, 10),
    })
  }
  const report = (error: unknown) => log('server.error', { error: toLogText(error) })
  void look().catch(report)
  const timer = setInterval(() => void look().catch(report), lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}
