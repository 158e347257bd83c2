/** The numbers of tiles. They are stored in saved games, so their meanings must not change. */
export const T = {
  wall: 0,
  floor: 1,
  door: 2,
  stairsDown: 3,
  stairsUp: 4,
  water: 5,
  grass: 6,
  deepWater: 7,
  secretDoor: 8,
  altar: 9,
  rubble: 10,
  hiddenTrap: 11,
  knownTrap: 12,
  arch: 13,
  fungus: 14,
  bridge: 15,
  crystal: 16,
  tallGrass: 17,
  statue: 18,
  chasm: 19,
} as const

interface Tile {
  readonly name: string
  /** Unique for every look, so that browsers can tell tiles by their glyphs. */
  readonly glyph: string
  readonly isPassable: boolean
  readonly isOpaque: boolean
  /** The tile that it looks like until it is found. */
  readonly looksLike?: number
}

const way = (glyph: string, name: string): Tile => ({ name, glyph, isPassable: true, isOpaque: false })
const curtain = (glyph: string, name: string): Tile => ({ name, glyph, isPassable: true, isOpaque: true })
const stone = (glyph: string, name: string): Tile => ({ name, glyph, isPassable: false, isOpaque: true })

/** The properties of tiles, in the order of `T`. */
export const tiles: readonly Tile[] = [
  stone('#', 'wall'),
  way('.', 'floor'),
  curtain('+', 'door'),
  way('>', 'stairs down'),
  way('<', 'stairs up'),
  way('~', 'shallow water'),
  way('"', 'grass'),
  way('}', 'deep water'),
  { ...stone('#', 'secret door'), looksLike: T.wall },
  way('_', 'altar'),
  way(',', 'rubble'),
  { ...way('.', 'hidden trap'), looksLike: T.floor },
  way('^', 'trap'),
  way("'", 'arch'),
  way('%', 'glowing fungus'),
  way('=', 'bridge'),
  stone('*', 'crystal'),
  curtain(';', 'tall grass'),
  { name: 'statue', glyph: '0', isPassable: false, isOpaque: false },
  way(':', 'chasm'),
]

const flags = (isSet: (tile: Tile) => boolean): Uint8Array => Uint8Array.from(tiles, (each) => (isSet(each) ? 1 : 0))

const passable = flags((each) => each.isPassable)
const opaque = flags((each) => each.isOpaque)
const glyphs = tiles.map((each) => tiles[each.looksLike ?? -1]?.glyph ?? each.glyph)

export const isPassable = (number: number | undefined): boolean => passable[number ?? 0] === 1
export const isOpaque = (number: number | undefined): boolean => opaque[number ?? 0] === 1

/** The glyph that a tile shows; a secret door shows that of a wall. */
export const glyphOf = (number: number | undefined): string => glyphs[number ?? 0] ?? '#'
