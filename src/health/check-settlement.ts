import type { Finding } from '../core/finding.ts'
import type { Check } from './check.ts'
import type { OwnStanding } from './own-facilitator.ts'

/** How many settlements the gas wallet can still pay for. */
export type Gas = NonNullable<OwnStanding['gas']>

/** The finding when payments are sent and none settles, whichever facilitator settles them. */
export const stalled: Finding = {
  is: 'failure',
  sentence: 'Payments are sent, and none of them settles at the moment.',
}

const advice = 'Send some ether on Base to the wallet of FACILITATOR_PRIVATE_KEY.'

const silent: Finding = { is: 'failure', sentence: 'Our own facilitator does not report its state.' }

function judge(standing: OwnStanding): Finding {
  const { settling, gas } = standing
  if (!gas)
    return { is: 'failure', sentence: 'Our own facilitator gets no answer from the chain, and settles nothing.' }
  const left = `The gas wallet pays for ${gas.settlementsLeft.toLocaleString('en')} more settlements`
  if (!settling && gas.isLow) return { is: 'failure', sentence: `${left}, which is too little to settle any.`, advice }
  if (!settling) return stalled
  if (gas.isLow) return { is: 'warning', sentence: `${left}.`, advice }
  return { is: 'ok', sentence: `${left}.` }
}

interface Options {
  /** Asks a facilitator for its state; undefined when it does not report one. */
  readonly askOwn: () => Promise<OwnStanding | undefined>
  /** Whether it is known to be our own. Another one on this machine that reports no state is a foreign program. */
  readonly isOurs: boolean
}

/** Checks that our own facilitator settles, and how long its gas lasts. */
export function makeSettlementCheck({ askOwn, isOurs }: Options) {
  let gas: Gas | undefined
  const check: Check = {
    name: 'settlement',
    everyMs: 2_000,
    async run() {
      const standing = await askOwn()
      gas = standing?.gas ?? gas
      if (standing) return judge(standing)
      return isOurs ? silent : undefined
    },
  }
  return {
    check,
    /** The last known state of the gas wallet. */
    gas: (): Gas | undefined => gas,
  }
}
