import { setTimeout as wait } from 'node:timers/promises'
import type { Dungeon } from '../../protocol/dungeon.ts'
import { makeHttpDungeon } from './http-dungeon.ts'
import { makeSocketDungeon } from './socket-dungeon.ts'
import { Unreachable } from './unreachable.ts'

/** How often and how long a key that is refused as too fast waits and is sent again. */
const mostWaits = 5
const longestWaitMs = 2000

/** The game at these URLs, over a WebSocket or, where that is not possible, over HTTP. */
export function openDungeon({ wsUrl, gameUrl }: { wsUrl: string; gameUrl: string }): Dungeon {
  const dungeon = fallBack(makeSocketDungeon(wsUrl), makeHttpDungeon(gameUrl))
  return {
    look: dungeon.look,
    async act(token, key) {
      for (let waits = 0; ; waits++) {
        const seen = await dungeon.act(token, key)
        if (seen.is === 'seen' || seen.code !== 'rate_limited' || waits === mostWaits) return seen
        await wait(Math.min(seen.retryAfterMs ?? longestWaitMs, longestWaitMs))
      }
    },
    async join(request) {
      const joined = await dungeon.join(request)
      // The stored token may be of a game whose data was deleted; then the player joins without it.
      const isStale = joined.is === 'refused' && joined.code === 'wrong_token'
      return isStale ? dungeon.join({ name: request.name, kind: request.kind, mode: request.mode }) : joined
    },
  }
}

/** Uses the first dungeon until a call fails as unreachable and the second one answers it; then only the second. */
function fallBack(first: Dungeon, second: Dungeon): Dungeon {
  let isSecond = false

  async function ask<Answer>(act: (dungeon: Dungeon, wasAsked: boolean) => Promise<Answer>): Promise<Answer> {
    if (isSecond) return act(second, false)
    try {
      return await act(first, false)
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      const answer = await act(second, error.wasAsked)
      isSecond = true
      return answer
    }
  }

  return {
    join: (request) => ask((dungeon) => dungeon.join(request)),
    look: (token, options) => ask((dungeon) => dungeon.look(token, options)),
    // A key that may have been pressed is not sent again; the answer shows the present state.
    act: (token, key) => ask((dungeon, wasAsked) => (wasAsked ? dungeon.look(token) : dungeon.act(token, key))),
  }
}
