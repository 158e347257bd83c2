import type { RunLimits, SeatOwner } from '../realms/realm.ts'
import type { Place } from '../realms/realms.ts'

/** What the host asks of the cups. */
export interface CupDoor {
  /** Where this player's run of the open cup is lived, and how long it may be; the same at every return. */
  enter(
    owner: SeatOwner,
  ): Promise<{ is: 'entered'; place: Place; limits: RunLimits } | { is: 'closed' } | { is: 'no-entry' }>
  /** Whether a cup's seed is public. */
  isRevealed(cup: string): Promise<boolean>
}
