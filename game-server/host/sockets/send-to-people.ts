import type { Game } from '../game.ts'
import type { Seat } from '../realms/realm.ts'

/** Whoever reads words that strangers wrote is a person: models are never shown them. */
export const isPerson = (seat: Seat): boolean => seat.owner.kind === 'human'

/** Sends one message to every person who plays now. */
export function sendToPeople(game: Pick<Game, 'seats'>, message: object): void {
  const frame = JSON.stringify(message)
  for (const seat of game.seats()) if (isPerson(seat)) seat.holder?.send(frame)
}
