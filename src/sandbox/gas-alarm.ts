import type { Log } from '../core/log.ts'
import type { GasStanding } from './gas-wallet.ts'
import type { Queue } from './settlement-sender.ts'

/** Fewer usual settlements than that left in the gas wallet, and somebody should fill it. */
const lowSettlements = 50
const alarmEveryMs = 60 * 60 * 1000

export const isLow = ({ settlementsLeft }: GasStanding): boolean => settlementsLeft < lowSettlements

/** Tells the operator's log of what needs a hand, each kind once an hour at most. */
export function makeGasAlarm({ address, log, now }: { address: string; log: Log; now: () => number }) {
  const rungAt = { low: Number.NEGATIVE_INFINITY, stalled: Number.NEGATIVE_INFINITY }
  const rings = (kind: keyof typeof rungAt): boolean => {
    if (now() - rungAt[kind] < alarmEveryMs) return false
    rungAt[kind] = now()
    return true
  }
  return {
    gas(standing: GasStanding): void {
      const { balance, settlementsLeft } = standing
      if (isLow(standing) && rings('low')) log('gas.low', { address, balanceWei: balance.toString(), settlementsLeft })
    },
    stalled({ waiting, stalledMs }: Queue): void {
      if (rings('stalled')) log('settlement.stalled', { waiting, seconds: Math.round(stalledMs / 1000) })
    },
  }
}
