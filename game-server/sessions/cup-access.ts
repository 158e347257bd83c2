import type { RunLimits, SessionOwner } from '../realms/realm.ts'
import type { Venue } from '../realms/realms.ts'

/** What sessions and replays need to know of cups. */
export interface CupAccess {
  /**
   * The realm options and limits of this player's run in the open cup; the same at every call. `newer` when the cup was
   * opened under rules that this version does not know.
   */
  enter(
    owner: SessionOwner,
  ): Promise<
    { is: 'entered'; venue: Venue; limits: RunLimits } | { is: 'closed' } | { is: 'newer' } | { is: 'no-entry' }
  >
  /** Whether a cup's seed is public. */
  isRevealed(cup: string): Promise<boolean>
}
