import { askFacilitator } from './ask-facilitator.ts'
import type { FacilitatorAddress } from './sign-request.ts'
import { settlesOurs } from './supported.ts'

const deadlineMs = 8_000
/** How long its answer is used while it supports our kind of payment: that changes seldom. */
const believedMs = 10 * 60_000
/** The same while it does not, or did not answer: that may be repaired at any moment. */
const doubtedMs = 30_000

/**
 * Returns a function that tells whether a facilitator settles our kind of payment, by its last answer; true while that
 * is unknown. When the answer is old, a call starts a new request in the background and does not wait for it.
 *
 * @param network on which it is to settle
 * @param now a monotonic clock, in milliseconds
 */
export function watchFitness(address: FacilitatorAddress, network: string, now: () => number): () => boolean {
  let known: boolean | undefined
  let dueAt = now()
  let isLooking = false

  const look = async (): Promise<void> => {
    // Without an answer, the one before is still used.
    const answer = await askFacilitator(address, 'supported', deadlineMs).catch(() => undefined)
    known = (answer && settlesOurs(answer, network)) ?? known
    dueAt = now() + (answer && known === true ? believedMs : doubtedMs)
    isLooking = false
  }
  return () => {
    if (!isLooking && now() >= dueAt) {
      isLooking = true
      void look()
    }
    return known !== false
  }
}
