import type { Session } from '../realms/realm.ts'
import type { Game } from '../sessions/game.ts'

/** Whether a session may be sent text written by strangers: people are, models never (prompt injection). */
export const isPerson = (session: Session): boolean => session.owner.kind === 'human'

/** Sends a new line on the wall to every person who plays now. */
export function sendShout(game: Pick<Game, 'sessions'>, shout: { readonly by: string; readonly text: string }): void {
  const frame = JSON.stringify({ type: 'shout', ...shout, untrusted: true })
  for (const session of game.sessions()) if (isPerson(session)) session.holder?.send(frame)
}
