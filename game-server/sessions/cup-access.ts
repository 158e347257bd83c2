import type { RunLimits, SessionOwner } from '../realms/realm.ts'
import type { Venue } from '../realms/realms.ts'

/** What the host asks of the cups. */
export interface CupAccess {
  /** Where this player's run of the open cup is lived, and how long it may be; the same at every return. */
  enter(
    owner: SessionOwner,
  ): Promise<{ is: 'entered'; venue: Venue; limits: RunLimits } | { is: 'closed' } | { is: 'no-entry' }>
  /** Whether a cup's seed is public. */
  isRevealed(cup: string): Promise<boolean>
}
