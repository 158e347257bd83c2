import { perceives } from '../core/delta.ts'
import { distance } from '../core/grid.ts'
import { toText } from '../core/scene.ts'
import type { GameEvent } from '../core/step.ts'
import type { Realm, Session, Viewer } from '../realms/realm.ts'

/** How long events are gathered before viewers are shown them: a frame costs more than its content. */
const flushMs = 100
const flushMsPerPlayer = 10
/** Beyond this distance, in cells, nothing can be seen in any light. */
const nearCells = 20
const keptMessages = 50

const timers = new WeakMap<Realm, NodeJS.Timeout>()

/**
 * Tells a viewer what happened; it is shown with the realm's next flush, unless the viewer shows it before. The delay
 * is random, because realms that flush at the same moment would hold up answers to keys.
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

/** Adds the texts of the events that this player sees or is told to the session's messages, unless they are pushed. */
function tellEvents({ realm, player, messages, isPushed }: Session, events: readonly GameEvent[]): void {
  if (isPushed) return
  for (const event of events) if (perceives(realm.world, player, event)) messages.push(toText(event, player))
  // The oldest messages are dropped first.
  if (messages.length > keptMessages) messages.splice(0, messages.length - keptMessages)
}

/** Tells the events of a player's action to that player's viewers and to players near enough to see them. */
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

/** Where something happened: at the actor, and at the events, such as the stairs on a level that was left. */
function listPlaces(actor: Spot, events: readonly GameEvent[]): Spot[] {
  const places = [actor]
  for (const event of events)
    if (event.to === 0 && !places.some(({ depth, cell }) => depth === event.depth && cell === event.cell))
      places.push(event)
  return places
}

const isWithin = (one: Spot, other: Spot): boolean =>
  one.depth === other.depth && distance(one.cell, other.cell) <= nearCells
