import type { Dungeon } from '../../host/dungeon.ts'
import { fallBack } from './fall-back.ts'
import { makeHttpDungeon } from './http-dungeon.ts'
import { makeSocketDungeon } from './socket-dungeon.ts'

/** The game at these addresses, whichever way it can be reached. */
export function openDungeon({ wsUrl, gameUrl }: { wsUrl: string; gameUrl: string }): Dungeon {
  const dungeon = fallBack(makeSocketDungeon(wsUrl), makeHttpDungeon(gameUrl))
  return {
    ...dungeon,
    async join(request) {
      const joined = await dungeon.join(request)
      // A token that was kept for a game that began anew: whoever asks wants to play, not to know.
      const isStale = joined.is === 'refused' && joined.code === 'wrong_token'
      return isStale ? dungeon.join({ name: request.name, kind: request.kind, mode: request.mode }) : joined
    },
  }
}
