import type { Session } from '../realms/realm.ts'
import type { Game } from '../sessions/game.ts'

/** Whoever reads words that strangers wrote is a person: models are never shown them. */
export const isPerson = (session: Session): boolean => session.owner.kind === 'human'

/** Shows every person who plays now what was written on the wall. */
export function sendShout(game: Pick<Game, 'sessions'>, shout: { readonly by: string; readonly text: string }): void {
  const frame = JSON.stringify({ type: 'shout', ...shout, untrusted: true })
  for (const session of game.sessions()) if (isPerson(session)) session.holder?.send(frame)
}
