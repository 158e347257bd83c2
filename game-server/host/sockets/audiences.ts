import { encodeDelta, newView } from '../../core/delta.ts'
import type { GameEvent } from '../../core/step.ts'
import { toDeathCard } from '../death-card.ts'
import type { Seat, Viewer } from '../realms/realm.ts'

/** Who watches may talk to somebody who plays: what is shown is old by then. */
export const delayMs = 2000
const keptEvents = 50

/** Somebody who watches. */
export interface Watcher {
  send(frame: string): void
}

/** Shows seats to those who only watch: everything is encoded once, whoever many they are. */
export interface Audiences {
  watch(seat: Seat, watcher: Watcher): void
  unwatch(watcher: Watcher): void
  countOf(seat: Seat): number
}

interface Audience {
  readonly seat: Seat
  readonly viewer: Viewer
  /** Each watcher with the number of the first frame that is meant for them. */
  readonly watchers: Map<Watcher, number>
  welcome(watcher: Watcher): void
}

export function makeAudiences({ now }: { now: () => number }): Audiences {
  const audiences = new Map<Seat, Audience>()
  const watched = new Map<Watcher, Audience>()

  function makeAudience(seat: Seat): Audience {
    const { world } = seat.realm
    const watchers = new Map<Watcher, number>()
    const queue: { at: number; number: number; frame: string }[] = []
    let view = newView()
    let events: GameEvent[] = []
    let frames = 0
    let isScheduled = false
    let isEnding = false

    const schedule = (ms: number): void => {
      if (isScheduled) return
      isScheduled = true
      setTimeout(showDue, Math.max(1, ms))
    }
    const showDue = (): void => {
      isScheduled = false
      while (queue[0] && queue[0].at <= now()) {
        const due = queue.shift()
        if (due) for (const [watcher, from] of watchers) if (due.number >= from) watcher.send(due.frame)
      }
      if (queue[0]) schedule(queue[0].at - now())
    }
    const show = (frame: string): void => {
      queue.push({ at: now() + delayMs, number: frames++, frame })
      schedule(delayMs)
    }
    const end = async (): Promise<void> => {
      const death = await seat.death
      if (death) show(JSON.stringify({ type: 'death', ...death, card: toDeathCard(death) }))
    }
    const viewer: Viewer = {
      wake(seen) {
        if (events.length < keptEvents) events.push(...seen)
      },
      flush() {
        const frame = encodeDelta(world, seat.player, view, events)
        events = []
        if (frame !== undefined) show(frame)
        if (!seat.isOver || isEnding) return
        isEnding = true
        void end()
      },
    }
    return {
      seat,
      viewer,
      watchers,
      welcome(watcher) {
        watchers.set(watcher, frames)
        // Everybody gets the whole picture again, which does no harm, and the frames stay the same for all.
        view = newView()
        const frame = encodeDelta(world, seat.player, view, [], { type: 'snapshot' })
        if (frame !== undefined) show(frame)
      },
    }
  }

  const tellPresence = ({ seat, watchers }: Audience): void =>
    seat.holder?.send(JSON.stringify({ type: 'presence', watchers: watchers.size }))

  function unwatch(watcher: Watcher): void {
    const audience = watched.get(watcher)
    if (!audience) return
    watched.delete(watcher)
    audience.watchers.delete(watcher)
    if (audience.watchers.size === 0) {
      audience.seat.viewers.delete(audience.viewer)
      audiences.delete(audience.seat)
    }
    tellPresence(audience)
  }

  return {
    unwatch,
    countOf: (seat) => audiences.get(seat)?.watchers.size ?? 0,
    watch(seat, watcher) {
      unwatch(watcher)
      let audience = audiences.get(seat)
      if (!audience) {
        audience = makeAudience(seat)
        audiences.set(seat, audience)
        seat.viewers.add(audience.viewer)
      }
      watched.set(watcher, audience)
      audience.welcome(watcher)
      tellPresence(audience)
    },
  }
}
