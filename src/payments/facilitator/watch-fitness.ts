import { askFacilitator } from './ask-facilitator.ts'
import type { FacilitatorAddress } from './sign-request.ts'
import { settlesOurs } from './supported.ts'

const deadlineMs = 8_000
/** What a facilitator supports changes seldom, */
const believedMs = 10 * 60_000
/** and one that cannot be used, or does not say, may be mended any moment. */
const doubtedMs = 30_000

/**
 * Whether a facilitator settles our kind of payment, as it said last. Unknown counts as yes: it is asked
 * while nobody waits, whenever somebody wants to know and the answer is old.
 *
 * @param network on which it is to settle
 * @param now of a clock that is never set
 */
export function watchFitness(address: FacilitatorAddress, network: string, now: () => number): () => boolean {
  let known: boolean | undefined
  let dueAt = now()
  let isLooking = false

  const look = async (): Promise<void> => {
    // Silence says nothing about what it settles; what it said before stands.
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
