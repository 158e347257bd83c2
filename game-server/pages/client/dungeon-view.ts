import { sightRadius } from '../../core/fov.ts'
import { cellCount } from '../../core/grid.ts'

/** A player or monster in view. Players have negative ids. */
export interface Being {
  readonly id: number
  readonly glyph: string
  readonly cell: number
  /** Its remaining health, 0 to 9. */
  readonly health: number
  /** 0 asleep, 1 idle, 2 hunting; for players 3 a person, 4 an agent. */
  readonly state: number
}

/** An item on the ground. */
export interface Thing {
  readonly cell: number
  readonly glyph: string
}

/** The name of an item on the ground. */
export interface Label {
  readonly name: string
  /** Whether it is one of several items of which only one may be taken. */
  readonly isChoice: boolean
}

/** What one player knows of a level, as the host has sent it. */
export interface DungeonView {
  depth: number
  /** The glyph of each known cell; empty for unknown cells. */
  readonly glyphs: string[]
  /** 1 for cells that the player sees now. */
  readonly lit: Uint8Array
  cell: number
  /** How far the player sees, in cells. */
  radius: number
  /** Undefined on a level that was just entered. */
  hp: number | undefined
  beings: readonly Being[]
  /** The names of players, by id. */
  names: ReadonlyMap<number, string>
  /** The moods of monsters whose `state` does not tell them, by id. */
  doings: ReadonlyMap<number, string>
  /** The badges of players, by id. */
  badges: ReadonlyMap<number, string>
  things: readonly Thing[]
  /** The names of items, by cell. */
  labels: ReadonlyMap<number, Label>
}

/** An empty view. */
export const makeView = (): DungeonView => ({
  depth: 1,
  glyphs: new Array<string>(cellCount).fill(''),
  lit: new Uint8Array(cellCount),
  cell: 0,
  radius: sightRadius,
  hp: undefined,
  beings: [],
  names: new Map(),
  doings: new Map(),
  badges: new Map(),
  things: [],
  labels: new Map(),
})
