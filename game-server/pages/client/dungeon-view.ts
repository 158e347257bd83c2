import { sightRadius } from '../../core/fov.ts'
import { cellCount } from '../../core/grid.ts'

/** Somebody or something in view. Players have negative ids. */
export interface Being {
  readonly id: number
  readonly glyph: string
  readonly cell: number
  /** What is left of it, 0 to 9. */
  readonly health: number
  /** 0 asleep, 1 idle, 2 hunting; of players 3 a person, 4 an agent. */
  readonly state: number
}

/** Something that lies about. */
export interface Thing {
  readonly cell: number
  readonly glyph: string
}

/** What somebody calls a thing that lies about. */
export interface Label {
  readonly name: string
  /** One of several of which one may be taken. */
  readonly isChoice: boolean
}

/** What one player knows of a level, as the host tells it. */
export interface DungeonView {
  depth: number
  /** The glyph of each known cell; empty where nobody has been. */
  readonly glyphs: string[]
  /** 1 where the torch reaches now. */
  readonly lit: Uint8Array
  cell: number
  /** How far the torch reaches. */
  radius: number
  /** Unknown on a level just entered. */
  hp: number | undefined
  beings: readonly Being[]
  /** What players are called. */
  names: ReadonlyMap<number, string>
  /** What monsters are up to whose state does not tell it. */
  doings: ReadonlyMap<number, string>
  /** What they wear by their names. */
  badges: ReadonlyMap<number, string>
  things: readonly Thing[]
  /** What things are called, by the cells they lie on. */
  labels: ReadonlyMap<number, Label>
}

/** The view of somebody who has seen nothing yet. */
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
