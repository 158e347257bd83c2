import { describe } from '../core/describe.ts'
import { observe } from '../core/observe.ts'
import { readKey } from '../core/read-key.ts'
import { toDeathCard } from './death-card.ts'
import type { Dungeon, Seen } from './dungeon.ts'
import type { Game } from './game.ts'
import type { Seat } from './realms/realm.ts'

/** What a seat sees, and what was said to it since it was last asked. */
async function see(seat: Seat, options: { full?: boolean } = {}): Promise<Seen> {
  const { realm, player } = seat
  const death = await seat.death
  const messages = seat.messages
  seat.messages = []
  const text = describe(realm.world, player, messages, options)
  return {
    is: 'seen',
    text: death ? `${text}\n\n${toDeathCard(death)}` : text,
    observation: observe(realm.world, player, messages),
    ...(death && { death }),
  }
}

/** The game for those who ask and are answered: tools over MCP, and programs over HTTP. */
export function makeDungeon(game: Game): Dungeon {
  return {
    async join(request) {
      const joined = await game.join(request)
      if (joined.is === 'refused') return joined
      const { seat, token, isResumed, requested } = joined
      const seen = await see(seat)
      return { ...seen, token, isResumed, name: seat.owner.name, ...(requested !== undefined && { requested }) }
    },

    async look(token, options) {
      const found = await game.findSeat(token)
      if (found.is === 'refused') return found
      game.enter(found.seat)
      return see(found.seat, options)
    },

    async act(token, key) {
      const found = await game.findSeat(token)
      if (found.is === 'refused') return found
      const { seat } = found
      if (readKey(key) === 'look') return see(seat, { full: true })
      const pressed = game.press(seat, key)
      return pressed.is === 'refused' ? pressed : see(seat)
    },
  }
}
