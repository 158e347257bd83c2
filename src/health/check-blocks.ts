import type { Check } from './check.ts'
import type { Times } from './look-at-times.ts'
import { toSpan } from './span-text.ts'

/** Base makes a block every two seconds; the sandbox makes one each half minute when nobody pays. */
const noticedMs = 60_000
const mostMs = 120_000

/** Checks that the RPC knows the newest blocks: payments in blocks that it does not know are not seen. */
export const makeBlocksCheck = (lookAtTimes: () => Promise<Times | undefined>): Check => ({
  name: 'blocks',
  everyMs: 30_000,
  async run() {
    const times = await lookAtTimes()
    if (!times) return undefined
    const { ourMs, blockMs, serverMs } = times
    // A clock that is ahead makes every block look old, so the earlier one of both clocks counts.
    const ageMs = Math.min(serverMs ?? ourMs, ourMs) - blockMs
    if (ageMs <= noticedMs) return { is: 'ok', sentence: "The chain's RPC knows the newest blocks." }
    const sentence = `The newest block that the chain's RPC knows is ${toSpan(ageMs)} old`
    const advice =
      serverMs === undefined
        ? "Either the RPC is behind, and RPC_URL should name another, or this machine's clock is ahead."
        : 'The RPC is behind, or the chain has stopped: set RPC_URL to another provider.'
    return ageMs > mostMs
      ? { is: 'failure', sentence: `${sentence}, so new payments are not seen.`, advice }
      : { is: 'warning', sentence: `${sentence}.`, advice }
  },
})
