import { describe } from '../core/describe.ts'
import { observe } from '../core/observe.ts'
import type { Elsewhere } from '../hosts/hosts.ts'
import { toDeathCard } from '../protocol/death-card.ts'
import type { Dungeon, Seen } from '../protocol/dungeon.ts'
import type { Session } from '../realms/realm.ts'
import type { Game } from './game.ts'
import { movedAway } from './press-key.ts'

/** What a session sees, and the messages to it since the last call. */
async function see(session: Session, options: { full?: boolean } = {}): Promise<Seen> {
  const { realm, player } = session
  const death = await session.death
  const messages = session.messages
  session.messages = []
  const text = describe(realm.world, player, messages, options)
  return {
    is: 'seen',
    text: death ? `${text}\n\n${toDeathCard(death)}` : text,
    observation: observe(realm.world, player, messages),
    ...(death && { death }),
  }
}

/** The game of this host alone, for callers who send requests (MCP and HTTP). */
export function makeLocalDungeon(game: Game): Dungeon<Elsewhere> {
  const isWritten = (session: Session): Promise<boolean> => new Promise((resolve) => game.whenWritten(session, resolve))

  return {
    async join(request) {
      const joined = await game.join(request)
      if (joined.is !== 'joined') return joined
      const { session, token, isResumed, requested } = joined
      const seen = await see(session)
      return { ...seen, token, isResumed, name: session.owner.name, ...(requested !== undefined && { requested }) }
    },

    async look(token, options) {
      const found = await game.findSession(token)
      if (found.is !== 'found') return found
      game.enter(found.session)
      if (!(await isWritten(found.session))) return movedAway()
      return see(found.session, options)
    },

    async act(token, key) {
      const found = await game.findSession(token)
      if (found.is !== 'found') return found
      const { session } = found
      const pressed = game.press(session, key)
      if (pressed.is === 'refused') return pressed
      if (!(await isWritten(session))) return movedAway()
      return see(session, { full: pressed.is === 'look' })
    },
  }
}
