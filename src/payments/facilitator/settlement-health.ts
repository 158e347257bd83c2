import type { Log } from '../../core/log.ts'
import type { Facilitator, SettleAnswer } from './facilitator-client.ts'

/** One payer alone proves nothing: its wallet may be what fails. */
const minPayers = 3
const minWaitMs = 20_000
/** Without news for so long nothing is known any more; whoever keeps buyers away meanwhile must let them try again. */
const rememberedMs = 5 * 60 * 1000

interface Watched {
  /** The facilitator, with what it answers noted. */
  readonly facilitator: Facilitator
  /** To be called when the chain showed a sale. */
  readonly sold: () => void
  /** False when several payers settled, none of them was seen paying, and some time has passed. */
  readonly isSettling: () => boolean
}

/** Whether an answer promises a transfer that the chain should show soon; a refusal is about one payment only. */
const promises = (answer: SettleAnswer): boolean =>
  answer.is === 'refused' ? answer.reason === 'settlement_pending' : answer.is !== 'unsent'

/**
 * Notices when settlements go out and no sale comes back, whoever settles and whatever it claims.
 *
 * @param now not the clock of the wall, which may be set back: what stalls would go on unnoticed until it is where it was
 * @param network said in the log; Base when absent
 */
export function watchSettlements(
  facilitator: Facilitator,
  { log, now = () => performance.now(), network }: { log: Log; now?: (() => number) | undefined; network?: string },
): Watched {
  /** When each payer whose transfer has not been seen settled first. */
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
