import type { Level, Player, World } from './world.ts'

/** A message: to one player, or with `to` 0 to everyone on `depth` who sees `cell`. */
export interface GameEvent {
  to: number
  kind: string
  text: string
  depth: number
  cell: number
  /** The player who caused it, and the text for that player. */
  by?: number
  you?: string
}

/** The context of a command that is being carried out: the acting player, the level, and the messages so far. */
export interface Scene {
  readonly world: World
  readonly player: Player
  level: Level
  readonly events: GameEvent[]
}

/** Adds a message to the acting player. */
export function tell({ player, events }: Scene, kind: string, text: string): void {
  events.push({ to: player.id, kind, text, depth: player.depth, cell: player.cell })
}

/** Adds a message to everyone who sees a cell; for the acting player its text is `you`. */
export function show({ player, level, events }: Scene, kind: string, cell: number, text: string, you = text): void {
  events.push({ to: 0, kind, text, depth: level.depth, cell, by: player.id, you })
}

/** The text of a message for one player. */
export const toText = (event: GameEvent, reader: number): string =>
  event.by === reader && event.you !== undefined ? event.you : event.text
