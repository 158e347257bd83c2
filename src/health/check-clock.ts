import type { Check } from './check.ts'
import type { Times } from './look-at-times.ts'
import { toSpan } from './span-text.ts'

/** Less is the way of an answer, and seconds that were rounded. */
const noticedMs = 15_000
/** A block may be a little ahead of the clock of who made it. */
const blockAheadMs = 30_000
/** A buyer's signature lasts some three minutes longer than the work: a clock that is off by more refuses them all. */
const mostMs = 120_000

const advice = "Set this machine's clock by network time (NTP), and find out why that stopped."

/**
 * How far this machine's clock is off, in milliseconds; positive when it is ahead. A new block that agrees with it proves
 * it right, whatever a server's clock says. Undefined when nothing tells: an old block may be the newest one.
 */
function findSkew({ ourMs, blockMs, serverMs }: Times): number | undefined {
  const aheadOfBlockMs = ourMs - blockMs
  if (-aheadOfBlockMs > blockAheadMs) return aheadOfBlockMs
  if (aheadOfBlockMs <= noticedMs) return 0
  return serverMs === undefined ? undefined : ourMs - Math.max(serverMs, blockMs)
}

/** Whether this machine's clock agrees with the chain's and its RPC's: signatures are valid between two times. */
export const makeClockCheck = (lookAtTimes: () => Promise<Times | undefined>): Check => ({
  name: 'clock',
  everyMs: 60_000,
  async run() {
    const times = await lookAtTimes()
    const skewMs = times && findSkew(times)
    if (skewMs === undefined) return undefined
    const offMs = Math.abs(skewMs)
    if (offMs <= noticedMs) return { is: 'ok', sentence: "This machine's clock is right." }
    const said = `This machine's clock is ${toSpan(offMs)} ${skewMs > 0 ? 'ahead' : 'behind'}`
    return offMs > mostMs
      ? { is: 'failure', sentence: `${said}, so good payments are refused.`, advice }
      : { is: 'warning', sentence: `${said}.`, advice }
  },
})
