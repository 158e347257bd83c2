import { quoteWords } from '../../core/player-words.ts'
import type { Game } from '../game.ts'
import { isDecent } from '../is-decent.ts'
import { isShown } from '../play/is-shown.ts'
import type { Seat } from '../realms/realm.ts'
import type { Rulings } from '../rulings.ts'
import { isPerson } from './send-to-people.ts'

const sayEveryMs = 5000
const maxSaid = 120

interface NotSaid {
  readonly code: 'muted' | 'rate_limited' | 'bad_text'
  readonly message: string
  readonly more?: { readonly retryAfterMs: number }
}

/** What passes between players beside the dungeon itself. */
export interface Talk {
  /** Says something to the people in the same realm; answers why not. */
  say(seat: Seat, text: string): NotSaid | undefined
  /** Tells a realm who is in it, whenever somebody comes. */
  introduce(seat: Seat): void
  /** The player of that name, or whoever did something last; a code when there is nobody to watch. */
  findWatchable(name: string | undefined): Seat | 'no_such_player' | 'watch_disabled'
}

interface Options {
  readonly game: Game
  readonly rulings: Rulings
  readonly now: () => number
}

const isPlaying = (seat: Seat): boolean => seat.isHere && !seat.isOver

export function makeTalk({ game, rulings, now }: Options): Talk {
  const lastSaid = new WeakMap<Seat, number>()

  return {
    say(seat, given) {
      const text = given.replace(/\s+/g, ' ').trim()
      const mutedMs = rulings.remaining('mute', seat.owner.key)
      if (mutedMs > 0)
        return { code: 'muted', message: 'the operator muted this player', more: { retryAfterMs: mutedMs } }
      if (text === '' || text.length > maxSaid || !/^[\x20-\x7e\p{L}\p{N}]+$/u.test(text))
        return { code: 'bad_text', message: `say 1 to ${maxSaid} printable characters` }
      if (!isDecent(text)) return { code: 'bad_text', message: 'not in this house' }
      const waitMs = (lastSaid.get(seat) ?? -sayEveryMs) + sayEveryMs - now()
      if (waitMs > 0)
        return { code: 'rate_limited', message: 'one remark every 5 seconds', more: { retryAfterMs: waitMs } }
      lastSaid.set(seat, now())
      const frame = JSON.stringify({ type: 'say', by: seat.owner.name, text: quoteWords(text), untrusted: true })
      for (const other of seat.realm.seats.values()) if (isPerson(other)) other.holder?.send(frame)
      return undefined
    },

    introduce({ realm }) {
      const players = [...realm.seats.values()].map(({ player, owner, badges }) => ({
        id: player,
        name: owner.name,
        kind: owner.kind,
        badges,
      }))
      const frame = JSON.stringify({ type: 'players', players })
      for (const other of realm.seats.values()) if (isPerson(other)) other.holder?.send(frame)
    },

    findWatchable(name) {
      if (name !== undefined) {
        const seat = game.findByName(name)
        if (!seat || !isPlaying(seat)) return 'no_such_player'
        return isShown(seat) ? seat : 'watch_disabled'
      }
      let liveliest: Seat | undefined
      for (const seat of game.seats())
        if (isPlaying(seat) && isShown(seat) && (!liveliest || seat.lastAt > liveliest.lastAt)) liveliest = seat
      return liveliest ?? 'no_such_player'
    },
  }
}
