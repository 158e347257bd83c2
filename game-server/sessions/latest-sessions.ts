import type { Session } from '../realms/realm.ts'
import type { Realms } from '../realms/realms.ts'

/** A player without a socket counts as away after this time without a key. */
const awayAfterMs = 10 * 60_000

interface Options {
  readonly realms: Pick<Realms, 'isAwake'>
  /** Takes the avatar of a player who is away out of the dungeon. */
  readonly leave: (session: Session) => void
  readonly now: () => number
}

/** The last session of each account that played lately; the session of a dead character stays until its next join. */
export function makeLatestSessions({ realms, leave, now }: Options) {
  const sessions = new Map<string, Session>()

  return {
    all: (): Iterable<Session> => sessions.values(),

    get: (account: string): Session | undefined => sessions.get(account),

    /** The session of an account, unless its realm has left the memory since. */
    findPlayable(account: string): Session | undefined {
      const session = sessions.get(account)
      return session && (session.isOver || realms.isAwake(session.realm)) ? session : undefined
    },

    /** How many players are in the dungeon. */
    countHere(): number {
      let count = 0
      for (const session of sessions.values()) if (session.isHere) count++
      return count
    },

    keep(session: Session): void {
      sessions.set(session.owner.key, session)
    },

    /** Makes this the session that its account plays. The player leaves the previous one, unless a socket holds it. */
    takeUp(session: Session): void {
      const before = sessions.get(session.owner.key)
      sessions.set(session.owner.key, session)
      if (before && before !== session && !before.holder) leave(before)
    },

    /** Forgets a session, but not a later one of the same account. */
    forget(session: Session): void {
      if (sessions.get(session.owner.key) === session) sessions.delete(session.owner.key)
    },

    /** Marks idle players as away, and forgets the sessions of players who are away. */
    tidy(): void {
      for (const [account, session] of sessions) {
        const isAway = now() - session.lastAt > awayAfterMs
        if (isAway && !session.holder) leave(session)
        if (isAway && !session.isHere) sessions.delete(account)
      }
    },
  }
}

export type LatestSessions = ReturnType<typeof makeLatestSessions>
