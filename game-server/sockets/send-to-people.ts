import type { Session } from '../realms/realm.ts'
import type { Game } from '../sessions/game.ts'

/** Whoever reads words that strangers wrote is a person: models are never shown them. */
export const isPerson = (session: Session): boolean => session.owner.kind === 'human'

/** Sends one message to every person who plays now. */
export function sendToPeople(game: Pick<Game, 'sessions'>, message: object): void {
  const frame = JSON.stringify(message)
  for (const session of game.sessions()) if (isPerson(session)) session.holder?.send(frame)
}
