import type { Level, Player, World } from './world.ts'

/** Something to be told: to one player, or with `to` 0 to everyone on `depth` who sees `cell`. */
export interface GameEvent {
  to: number
  kind: string
  text: string
  depth: number
  cell: number
  /** Whose doing it was, and how it reads to them. */
  by?: number
  you?: string
}

/** One command while it is being carried out: who acts, where, and what is to be told of it. */
export interface Scene {
  readonly world: World
  readonly player: Player
  level: Level
  readonly events: GameEvent[]
}

/** Tells the one who acts. */
export function tell({ player, events }: Scene, kind: string, text: string): void {
  events.push({ to: player.id, kind, text, depth: player.depth, cell: player.cell })
}

/** Tells everyone who sees a cell; the one who acts reads `you`. */
export function show({ player, level, events }: Scene, kind: string, cell: number, text: string, you = text): void {
  events.push({ to: 0, kind, text, depth: level.depth, cell, by: player.id, you })
}

/** An event as one player reads it. */
export const toText = (event: GameEvent, reader: number): string =>
  event.by === reader && event.you !== undefined ? event.you : event.text
