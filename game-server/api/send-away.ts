import { toPlayerKey } from '../../src/core/player-name.ts'
import type { Moderation } from '../moderation/moderation.ts'
import type { Game } from '../sessions/game.ts'
import type { Sockets } from '../sockets/serve-sockets.ts'

interface Here {
  readonly game: Game
  readonly sockets: Sockets
}

/** Disconnects a player whom the operator has kicked. */
export function sendAway(name: string, { game, sockets }: Here): void {
  sockets.drop(toPlayerKey(name))
  const session = game.findByName(name)
  if (session) game.leave(session)
}

/** Disconnects players who were kicked at another host, in case its request did not reach this one. */
export async function sendAwayLate({ moderation, ...here }: Here & { readonly moderation: Moderation }): Promise<void> {
  await moderation.refresh()
  for (const { owner } of here.game.sessions())
    if (moderation.remaining('kick', owner.key) > 0) sendAway(owner.name, here)
}
