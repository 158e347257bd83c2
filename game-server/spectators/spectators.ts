import { TokenBucket } from '../../src/http/token-bucket.ts'
import { encodeDelta, newView } from '../core/delta.ts'
import type { GameEvent } from '../core/step.ts'
import { toDeathCard } from '../protocol/death-card.ts'
import type { Session, Viewer } from '../realms/realm.ts'

/** Spectators see everything late, so that they cannot help a player of the same realm with current information. */
export const delayMs = 2000
const keptEvents = 50
/** How often all spectators of a player may be sent a snapshot, as happens whenever one of them begins to watch. */
const pictureLimits = { perSecond: 1, burst: 10 }

/** A spectator. */
export interface Watcher {
  send(frame: string): void
}

/** Whether a player may be watched. Daily and cup runs may not, because others play the same seed. */
export const isShown = ({ isWatchable, realm }: Session): boolean => isWatchable && realm.mode === 'open'

interface Broadcast {
  readonly session: Session
  readonly viewer: Viewer
  /** Each spectator with the number of the first frame to send; infinite before the first snapshot for them. */
  readonly watchers: Map<Watcher, number>
  welcome(watcher: Watcher): void
}

/** Shows sessions to spectators; each frame is encoded once for all of them. */
export function makeSpectators({ now }: { now: () => number }) {
  const spectators = new Map<Session, Broadcast>()
  const watched = new Map<Watcher, Broadcast>()

  function makeBroadcast(session: Session): Broadcast {
    const { world } = session.realm
    const watchers = new Map<Watcher, number>()
    let view = newView()
    let events: GameEvent[] = []
    let frames = 0
    let isEnding = false
    const pictures = new TokenBucket(pictureLimits, now)
    let isPictureDue = false

    // Timers of equal delay fire in order, and do not depend on the system clock.
    const show = (frame: string): void => {
      const number = frames++
      setTimeout(() => {
        for (const [watcher, from] of watchers) if (number >= from) watcher.send(frame)
      }, delayMs)
    }
    /** Sends a snapshot to all spectators, not only to a new one, so that the frames stay the same for all. */
    const showPicture = (): void => {
      if (isPictureDue || watchers.size === 0) return
      const waitMs = pictures.take()
      if (waitMs > 0) {
        isPictureDue = true
        setTimeout(() => {
          isPictureDue = false
          showPicture()
        }, waitMs)
        return
      }
      for (const [watcher, from] of watchers) watchers.set(watcher, Math.min(from, frames))
      view = newView()
      const frame = encodeDelta(world, session.player, view, [], { type: 'snapshot' })
      if (frame !== undefined) show(frame)
    }
    const end = async (): Promise<void> => {
      const death = await session.death
      if (death) show(JSON.stringify({ type: 'death', ...death, card: toDeathCard(death) }))
    }
    const viewer: Viewer = {
      wake(seen) {
        if (events.length < keptEvents) events.push(...seen)
      },
      flush() {
        const frame = encodeDelta(world, session.player, view, events)
        events = []
        if (frame !== undefined) show(frame)
        if (!session.isOver || isEnding) return
        isEnding = true
        void end()
      },
    }
    return {
      session,
      viewer,
      watchers,
      welcome(watcher) {
        watchers.set(watcher, Number.POSITIVE_INFINITY)
        showPicture()
      },
    }
  }

  const tellPresence = ({ session, watchers }: Broadcast): void =>
    session.holder?.send(JSON.stringify({ type: 'presence', watchers: watchers.size }))

  function unwatch(watcher: Watcher): void {
    const broadcast = watched.get(watcher)
    if (!broadcast) return
    watched.delete(watcher)
    broadcast.watchers.delete(watcher)
    if (broadcast.watchers.size === 0) {
      broadcast.session.viewers.delete(broadcast.viewer)
      spectators.delete(broadcast.session)
    }
    tellPresence(broadcast)
  }

  function end(session: Session, code: string, message: string): void {
    for (const watcher of spectators.get(session)?.watchers.keys() ?? []) {
      unwatch(watcher)
      watcher.send(JSON.stringify({ type: 'error', code, message }))
    }
  }

  return {
    unwatch,
    /** Dismisses the spectators of a player who no longer wants to be watched. */
    hide: (session: Session): void => end(session, 'watch_disabled', 'this player cannot be watched'),
    /** Dismisses spectators of sessions that left the memory: a player who returns gets another session. */
    dismiss(isGone: (session: Session) => boolean): void {
      for (const session of spectators.keys())
        if (isGone(session)) end(session, 'no_such_player', 'nobody with that name is playing now')
    },
    countOf: (session: Session): number => spectators.get(session)?.watchers.size ?? 0,
    watch(session: Session, watcher: Watcher): void {
      unwatch(watcher)
      let broadcast = spectators.get(session)
      if (!broadcast) {
        broadcast = makeBroadcast(session)
        spectators.set(session, broadcast)
        session.viewers.add(broadcast.viewer)
      }
      watched.set(watcher, broadcast)
      broadcast.welcome(watcher)
      tellPresence(broadcast)
    },
  }
}

export type Spectators = ReturnType<typeof makeSpectators>
