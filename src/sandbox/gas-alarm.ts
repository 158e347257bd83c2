import type { Log } from '../core/log.ts'
import type { GasStanding } from './gas-wallet.ts'
import type { Queue } from './settlement-sender.ts'

/** When the gas wallet can pay for fewer usual settlements than this, the operator should refill it. */
const lowSettlements = 50
const alarmEveryMs = 60 * 60 * 1000

export const isLow = ({ settlementsLeft }: GasStanding): boolean => settlementsLeft < lowSettlements

/** Logs problems that need the operator, each kind at most once an hour. */
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
