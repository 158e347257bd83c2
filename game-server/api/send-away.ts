import { toPlayerKey } from '../../src/core/player-name.ts'
import type { Game } from '../sessions/game.ts'
import type { Sockets } from '../sockets/serve-sockets.ts'

/** Ends what a player does here, who may not come back for a while. */
export function sendAway(name: string, { game, sockets }: { game: Game; sockets: Sockets }): void {
  sockets.drop(toPlayerKey(name))
  const session = game.findByName(name)
  if (session) game.leave(session)
}
