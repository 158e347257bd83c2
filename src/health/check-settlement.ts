import type { Finding } from '../core/finding.ts'
import type { Check } from './check.ts'
import type { OwnStanding } from './own-facilitator.ts'

/** What the wallet that pays for settlements still pays for. */
export type Gas = NonNullable<OwnStanding['gas']>

/** Payments are sent and none comes back, whoever settles them. */
export const stalled: Finding = { is: 'failure', sentence: 'Payments are sent, and none of them settles just now.' }

const advice = 'Send some ether on Base to the wallet of FACILITATOR_PRIVATE_KEY.'

function judge(standing: OwnStanding | undefined): Finding {
  if (!standing) return { is: 'failure', sentence: 'The own facilitator does not say how it stands.' }
  const { settling, gas } = standing
  if (!gas)
    return { is: 'failure', sentence: 'The own facilitator gets no answer from the chain, and settles nothing.' }
  const left = `The gas wallet pays for ${gas.settlementsLeft.toLocaleString('en')} more settlements`
  if (!settling && gas.isLow) return { is: 'failure', sentence: `${left}, which is too little to settle any.`, advice }
  if (!settling) return stalled
  if (gas.isLow) return { is: 'warning', sentence: `${left}.`, advice }
  return { is: 'ok', sentence: `${left}.` }
}

/** Whether our own facilitator settles, and for how long its gas lasts; somebody else's has no gas wallet of ours. */
export function makeSettlementCheck(askOwn: () => Promise<OwnStanding | undefined>) {
  let gas: Gas | undefined
  const check: Check = {
    name: 'settlement',
    everyMs: 2_000,
    async run() {
      const standing = await askOwn()
      gas = standing?.gas ?? gas
      return judge(standing)
    },
  }
  return {
    check,
    /** As it was known last. */
    gas: (): Gas | undefined => gas,
  }
}
