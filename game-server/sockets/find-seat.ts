import { setTimeout as delay } from 'node:timers/promises'
import { type Elsewhere, seekAgainMs, seekForMs } from '../hosts/hosts.ts'
import type { Line } from '../hosts/peers.ts'
import type { Refusal } from '../protocol/dungeon.ts'
import type { Game } from '../sessions/game.ts'
import type { Joined } from '../sessions/join-game.ts'
import { movedAway } from '../sessions/press-key.ts'
import type { JoinMessage } from './read-message.ts'

interface Options {
  readonly game: Pick<Game, 'join'>
  /** Opens a line to another host; absent where there is no other, and on sockets that another host opened. */
  readonly open: ((address: string) => Promise<Line | undefined>) | undefined
  /** Whether the client is still connected. */
  readonly isWanted: () => boolean
}

/**
 * Joins the player here, or opens a line to the host that has the player's life. A host that does not answer is tried
 * again until its lease has run out and this host can take over the life.
 */
export async function findSeat(
  { name, kind, mode, resumeToken: token }: JoinMessage,
  { game, open, isWanted }: Options,
): Promise<Joined | Refusal | Elsewhere | { readonly is: 'far'; readonly line: Line }> {
  const until = performance.now() + seekForMs
  for (;;) {
    const joined = await game.join({ name, kind, token, mode })
    if (joined.is !== 'elsewhere') return joined
    if (!open) return joined
    const line = await open(joined.address)
    if (line) return { is: 'far', line }
    if (!isWanted() || performance.now() > until) return movedAway()
    await delay(seekAgainMs)
  }
}
