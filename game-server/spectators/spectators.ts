import { makeTokenBucket } from '../../src/http/token-bucket.ts'
import { encodeDelta, newView } from '../core/delta.ts'
import type { GameEvent } from '../core/step.ts'
import { toDeathCard } from '../protocol/death-card.ts'
import type { Session, Viewer } from '../realms/realm.ts'

/** Who watches may talk to somebody who plays: what is shown is old by then. */
export const delayMs = 2000
const keptEvents = 50
/** How often the whole picture is sent to everybody who watches somebody: who begins to watch costs all of them. */
const pictureLimits = { perSecond: 1, burst: 10 }

/** Somebody who watches. */
export interface Watcher {
  send(frame: string): void
}

/** Whether a player may be watched. Where others play the same seed, what one of them finds would help the rest. */
export const isShown = ({ isWatchable, realm }: Session): boolean => isWatchable && realm.mode === 'open'

interface Broadcast {
  readonly session: Session
  readonly viewer: Viewer
  /** Each watcher with the number of the first frame that is meant for them; infinite before their first picture. */
  readonly watchers: Map<Watcher, number>
  welcome(watcher: Watcher): void
}

/** Shows sessions to those who only watch: everything is encoded once, whoever many they are. */
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
    const pictures = makeTokenBucket(pictureLimits, now)
    let isPictureDue = false

    // Timers of one length end in their order, and whatever clock is set back meanwhile holds none of them up.
    const show = (frame: string): void => {
      const number = frames++
      setTimeout(() => {
        for (const [watcher, from] of watchers) if (number >= from) watcher.send(frame)
      }, delayMs)
    }
    /** Everybody gets the whole picture again, which does no harm, and the frames stay the same for all. */
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
    /** Ends the watching of somebody who wants to be watched no longer. */
    hide: (session: Session): void => end(session, 'watch_disabled', 'this player cannot be watched'),
    /** Ends the watching of lives that rest, or go on at another host: whoever comes back to one has another session. */
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
