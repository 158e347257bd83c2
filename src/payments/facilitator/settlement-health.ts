import type { Log } from '../../core/log.ts'
import type { Facilitator, SettleAnswer } from './facilitator-client.ts'

/** How many payers must be affected: with one alone, its wallet may be what fails. */
const minPayers = 3
const minWaitMs = 20_000
/** How long an open settlement counts, in milliseconds: after that, buyers that were kept away must be let in again. */
const rememberedMs = 5 * 60 * 1000

interface Watched {
  /** The same facilitator, with its answers to `settle` watched. */
  readonly facilitator: Facilitator
  /** To be called whenever the chain shows that a sale was paid. */
  readonly sold: () => void
  /** False when several payers have settled for some time and no transfer was seen since. */
  readonly isSettling: () => boolean
}

/** Whether after an answer the chain should soon show a transfer. A refusal concerns one payment and does not count. */
const promises = (answer: SettleAnswer): boolean =>
  answer.is === 'refused' ? answer.reason === 'settlement_pending' : answer.is !== 'unsent'

/**
 * Notices when payments are sent for settlement and no transfer shows on the chain, whatever the facilitator claims.
 *
 * @param now a monotonic clock, in milliseconds: if a wall clock were set back, a stall would go unnoticed meanwhile
 * @param network named in the log; absent for Base
 */
export function watchSettlements(
  facilitator: Facilitator,
  { log, now = () => performance.now(), network }: { log: Log; now?: (() => number) | undefined; network?: string },
): Watched {
  /** When each payer whose transfer has not been seen first settled. */
  let open = new Map<string, number>()
  let wasSettling = true

  const isSettling = (): boolean => {
    open = new Map([...open].filter(([, at]) => at > now() - rememberedMs))
    return open.size < minPayers || Math.min(...open.values()) > now() - minWaitMs
  }
  const tell = () => {
    if (isSettling() === wasSettling) return
    wasSettling = !wasSettling
    log('sale.stalled', { isStalled: !wasSettling, ...(network !== undefined && { network }) })
  }
  return {
    facilitator: {
      ...facilitator,
      async settle(payment, terms) {
        const answer = await facilitator.settle(payment, terms)
        if (promises(answer) && !open.has(payment.payer)) open.set(payment.payer, now())
        tell()
        return answer
      },
    },
    sold() {
      open.clear()
      tell()
    },
    isSettling,
  }
}
