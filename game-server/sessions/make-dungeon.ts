import { setTimeout as delay } from 'node:timers/promises'
import { type Elsewhere, isElsewhere, seekAgainMs, seekForMs } from '../hosts/hosts.ts'
import type { Dungeon, Refusal } from '../protocol/dungeon.ts'
import type { Game } from './game.ts'
import { makeLocalDungeon } from './local-dungeon.ts'
import { movedAway } from './press-key.ts'

/** The dungeon of another host; each call throws when that host does not answer. */
type FindDungeon = (address: string) => Dungeon<Elsewhere>

/**
 * The game for callers who send requests (tools over MCP, programs over HTTP), at whichever host their life is.
 * `elsewhere` is absent where this host is the only one.
 */
export function makeDungeon(game: Game, elsewhere?: FindDungeon): Dungeon {
  const local = makeLocalDungeon(game)

  /** Asks this host and, where it points to another, that one; retries for as long as a takeover may last. */
  async function seek<Answer extends { readonly is: string }>(
    ask: (dungeon: Dungeon<Elsewhere>) => Promise<Answer | Elsewhere>,
    mayAskAgain: (error: unknown) => boolean,
  ): Promise<Answer | Refusal> {
    const until = performance.now() + seekForMs
    for (;;) {
      const answer = await ask(local)
      if (!isElsewhere(answer)) return answer
      if (!elsewhere) return movedAway()
      try {
        const far = await ask(elsewhere(answer.address))
        if (!isElsewhere(far)) return far
      } catch (error) {
        if (!mayAskAgain(error)) return movedAway()
      }
      if (performance.now() > until) return movedAway()
      await delay(seekAgainMs)
    }
  }

  return {
    join: (request) =>
      seek(
        (dungeon) => dungeon.join(request),
        () => true,
      ),
    look: (token, options) =>
      seek(
        (dungeon) => dungeon.look(token, options),
        () => true,
      ),
    // A key whose answer is lost may have been pressed, so it is sent again only if the connection was refused.
    act: (token, key) => seek((dungeon) => dungeon.act(token, key), isUnheard),
  }
}

const isUnheard = (error: unknown): boolean =>
  error instanceof TypeError &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  error.cause.code === 'ECONNREFUSED'
