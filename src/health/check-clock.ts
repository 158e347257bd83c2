import type { Check } from './check.ts'
import type { Times } from './look-at-times.ts'
import { toSpan } from './span-text.ts'

/** Smaller differences come from the time that a response takes, and from times in whole seconds. */
const noticedMs = 15_000
/** A block's timestamp may be a little ahead of the real time. */
const blockAheadMs = 30_000
/** A buyer's signature is valid for some three minutes longer than the work takes: a larger error refuses them all. */
const mostMs = 120_000

const advice = "Set this machine's clock by network time (NTP), and find out why that stopped."

/**
 * How far this machine's clock is off, in ms; positive when it is ahead. If it agrees with a new block it is right,
 * whatever the server's clock says. Undefined when it cannot be told: an old block may still be the newest one.
 */
function findSkew({ ourMs, blockMs, serverMs }: Times): number | undefined {
  const aheadOfBlockMs = ourMs - blockMs
  if (-aheadOfBlockMs > blockAheadMs) return aheadOfBlockMs
  if (aheadOfBlockMs <= noticedMs) return 0
  return serverMs === undefined ? undefined : ourMs - Math.max(serverMs, blockMs)
}

/** Checks this machine's clock against the chain and its RPC, because signatures are valid between two times only. */
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
