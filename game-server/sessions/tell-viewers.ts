import { perceives } from '../core/delta.ts'
import { distance } from '../core/grid.ts'
import { toText } from '../core/scene.ts'
import type { GameEvent } from '../core/step.ts'
import type { Realm, Session, Viewer } from '../realms/realm.ts'

/** What neighbours do is shown together: every frame costs more than what it says, and a crowd has many to send. */
const flushMs = 100
const flushMsPerPlayer = 10
/** Further away nothing can be seen, however far the light reaches. */
const nearCells = 20
const keptMessages = 50

const timers = new WeakMap<Realm, NodeJS.Timeout>()

/**
 * Tells a viewer what happened; it is shown with the realm's next flush, unless the viewer shows it before. The time
 * until then varies: realms that flush in step would keep everybody's answers waiting.
 */
function wakeViewer(realm: Realm, viewer: Viewer, events: readonly GameEvent[]): void {
  viewer.wake(events)
  realm.awake.add(viewer)
  if (timers.has(realm)) return
  const delayMs = (flushMs + flushMsPerPlayer * realm.sessions.size) * (0.75 + Math.random() / 2)
  timers.set(
    realm,
    setTimeout(() => {
      timers.delete(realm)
      const viewers = [...realm.awake]
      realm.awake.clear()
      for (const each of viewers) each.flush()
    }, delayMs),
  )
}

/** The texts among `events` that this player sees or is told. */
function tellEvents({ realm, player, messages, isPushed }: Session, events: readonly GameEvent[]): void {
  if (isPushed) return
  for (const event of events) if (perceives(realm.world, player, event)) messages.push(toText(event, player))
  // The oldest is forgotten first.
  if (messages.length > keptMessages) messages.splice(0, messages.length - keptMessages)
}

/** Shows what a player did, and what came of it, to everybody who may have seen it. */
export function tellViewers(actor: Session, events: readonly GameEvent[]): void {
  const { realm } = actor
  tellEvents(actor, events)
  for (const viewer of actor.viewers) wakeViewer(realm, viewer, events)
  if (realm.sessions.size === 1) return
  const from = realm.world.players.get(actor.player)
  if (!from) return
  const heard = events.filter((event) => event.to !== actor.player)
  const places = listPlaces(from, events)
  for (const session of realm.sessions.values()) {
    if (session === actor || !session.isHere || session.isOver) continue
    const player = realm.world.players.get(session.player)
    if (!player || !places.some((place) => isWithin(player, place))) continue
    if (heard.length > 0) tellEvents(session, heard)
    for (const viewer of session.viewers) wakeViewer(realm, viewer, heard)
  }
}

interface Spot {
  readonly depth: number
  readonly cell: number
}

/** Where something was done. Who takes the stairs is missed on the level that was left, where the events say so. */
function listPlaces(actor: Spot, events: readonly GameEvent[]): Spot[] {
  const places = [actor]
  for (const event of events)
    if (event.to === 0 && !places.some(({ depth, cell }) => depth === event.depth && cell === event.cell))
      places.push(event)
  return places
}

const isWithin = (one: Spot, other: Spot): boolean =>
  one.depth === other.depth && distance(one.cell, other.cell) <= nearCells
