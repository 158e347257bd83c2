import type { GameEvent } from '../core/step.ts'
import type { Session } from '../realms/realm.ts'
import type { Realms } from '../realms/realms.ts'
import { tellViewers } from './tell-viewers.ts'

interface Options {
  readonly realms: Pick<Realms, 'advance'>
  readonly now: () => number
  /** Whether the game takes no more commands. */
  readonly isClosed: () => boolean
}

/** Puts avatars into the dungeon and takes them out, as their players come and go. */
export function makePresence({ realms, now, isClosed }: Options) {
  function advance(session: Session, is: 'return' | 'leave'): void {
    const events: GameEvent[] = []
    realms.advance(session.realm, { is, player: session.player }, events)
    tellViewers(session, events)
  }

  return {
    /** The player is back: the avatar stands in the dungeon again. */
    enter(session: Session): void {
      session.lastAt = now()
      if (session.isHere || session.isOver) return
      session.isHere = true
      advance(session, 'return')
    },

    /** The player is away: the avatar fades, and nothing can happen to it. */
    leave(session: Session): void {
      if (!session.isHere) return
      session.isHere = false
      if (!session.isOver && !isClosed()) advance(session, 'leave')
    },
  }
}

export type Presence = ReturnType<typeof makePresence>
