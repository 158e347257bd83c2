import { hasBlankSign, hasInk } from '../../src/core/ink.ts'
import { TokenBucket } from '../../src/http/token-bucket.ts'
import { quoteWords } from '../core/player-words.ts'
import { isDecent } from '../moderation/is-decent.ts'
import type { Moderation } from '../moderation/moderation.ts'
import type { Realm, Session } from '../realms/realm.ts'
import type { Game } from '../sessions/game.ts'
import { isShown } from '../spectators/spectators.ts'
import { isPerson } from './send-to-people.ts'

const remarks = { perSecond: 1 / 5, burst: 1 }
const maxSaid = 120
/** What keyboards of all languages write, with typographic quotes and dashes. The only invisible ones are joiners. */
const printable = /^[ \p{Join_Control}\p{L}\p{M}\p{N}\p{P}\p{S}]+$/u
/** White space, and the blank Braille pattern, which separates words in Braille. */
const spaces = /[\s\u2800]+/g
/** Joiners without effect. They have one only within words, as in Persian and Hindi, and within combined emoji. */
const idleJoiners = /(?<![\p{L}\p{M}\p{S}])\p{Join_Control}|\p{Join_Control}(?![\p{L}\p{S}])/gu
/** The marks of `quoteWords`, and letters with four or more combining marks, which would cover neighbouring lines. */
const unsayable = /[⟦⟧]|\p{M}{4}/u

interface NotSaid {
  readonly code: 'muted' | 'rate_limited' | 'bad_text'
  readonly message: string
  readonly more?: { readonly retryAfterMs: number }
}

interface Options {
  readonly game: Game
  readonly moderation: Moderation
  readonly now: () => number
}

const isPlaying = (session: Session): boolean => session.isHere && !session.isOver

/** Who plays in a realm now, one bit for each player. */
function maskOf({ sessions }: Realm): number {
  let mask = 0
  for (const [player, session] of sessions) if (isPlaying(session)) mask |= 1 << player
  return mask
}

/** Chat, the list of players in a realm, and the choice of whom to watch. */
export function makeTalk({ game, moderation, now }: Options) {
  const buckets = new WeakMap<Session, TokenBucket>()
  /** Who played in each realm when its list was sent last. */
  const listed = new WeakMap<Realm, number>()

  function sendList(realm: Realm): void {
    listed.set(realm, maskOf(realm))
    const players = [...realm.sessions.values()].filter(isPlaying).map(({ player, owner, badges }) => ({
      id: player,
      name: owner.name,
      kind: owner.kind,
      badges,
    }))
    const frame = JSON.stringify({ type: 'players', players })
    for (const session of realm.sessions.values()) if (isPerson(session)) session.holder?.send(frame)
  }

  return {
    /** Sends a remark to the people in the same realm; returns why not when it is refused. */
    say(session: Session, given: string): NotSaid | undefined {
      const text = given.normalize('NFC').replace(idleJoiners, '').replace(spaces, ' ').trim()
      const mutedMs = moderation.remaining('mute', session.owner.key)
      if (mutedMs > 0)
        return { code: 'muted', message: 'the operator muted this player', more: { retryAfterMs: mutedMs } }
      if (text.length > maxSaid || !printable.test(text) || unsayable.test(text) || hasBlankSign(text) || !hasInk(text))
        return { code: 'bad_text', message: `a remark has 1 to ${maxSaid} printable characters` }
      if (!isDecent(text)) return { code: 'bad_text', message: 'this text has words that are not allowed here' }
      const bucket = buckets.get(session) ?? new TokenBucket(remarks, now)
      buckets.set(session, bucket)
      const retryAfterMs = bucket.take()
      if (retryAfterMs > 0)
        return { code: 'rate_limited', message: 'you can say something every 5 seconds', more: { retryAfterMs } }
      const frame = JSON.stringify({ type: 'say', by: session.owner.name, text: quoteWords(text), untrusted: true })
      for (const other of session.realm.sessions.values()) if (isPerson(other)) other.holder?.send(frame)
      return undefined
    },

    /** Sends the list of players to the people in a realm; call it when somebody joins. */
    introduce: ({ realm }: Session): void => sendList(realm),

    /** Sends the list again in realms where players died, went away or came back since; call it every second. */
    update(): void {
      for (const realm of game.realms()) if (listed.has(realm) && listed.get(realm) !== maskOf(realm)) sendList(realm)
    },

    /** The player of that name, or the one who acted last; an error code when there is nobody to watch. */
    findWatchable(name: string | undefined): Session | 'no_such_player' | 'watch_disabled' {
      if (name !== undefined) {
        const session = game.findByName(name)
        if (!session || !isPlaying(session)) return 'no_such_player'
        return isShown(session) ? session : 'watch_disabled'
      }
      let liveliest: Session | undefined
      for (const session of game.sessions())
        if (isPlaying(session) && isShown(session) && (!liveliest || session.lastAt > liveliest.lastAt))
          liveliest = session
      return liveliest ?? 'no_such_player'
    },
  }
}

export type Talk = ReturnType<typeof makeTalk>
