import { generateLevel } from './levels/generate-level.ts'
import { occupy } from './place.ts'
import { stockLevel } from './stock-level.ts'
import { type Level, makeWorld, type Player, type World } from './world.ts'

type SavedLevel = Pick<Level, 'depth' | 'monsters' | 'changes'> & {
  /** Cells whose tiles were changed since the level was generated, with their tiles. */
  tiles: [number, number][]
  piles: [number, Level['piles'] extends Map<number, infer Pile> ? Pile : never][]
  altars: [number, number][]
}

type SavedPlayer = Omit<Player, 'known'> & { known: [number, string][] }

interface Saved {
  rules: number
  seed: string
  seq: number
  nextMonster: number
  players: SavedPlayer[]
  levels: SavedLevel[]
}

const toText = (bits: Uint32Array): string =>
  Array.from(bits, (word) => (word === 0 ? '' : word.toString(36))).join(',')

const toBits = (text: string): Uint32Array =>
  Uint32Array.from(text.split(','), (word) => (word === '' ? 0 : Number.parseInt(word, 36)))

/** A world as JSON, without what can be generated from its seed. */
export function saveWorld(world: World): string {
  const saved: Saved = {
    rules: world.rules,
    seed: world.seed,
    seq: world.seq,
    nextMonster: world.nextMonster,
    players: [...world.players.values()].map((player) => ({
      ...player,
      known: [...player.known].map(([depth, bits]) => [depth, toText(bits)]),
    })),
    levels: [...world.levels.values()].map((level) => ({
      depth: level.depth,
      monsters: level.monsters,
      changes: level.changes,
      tiles: [...new Set(level.changes)].map((cell) => [cell, level.tiles[cell] ?? 0]),
      piles: [...level.piles],
      altars: [...level.altars].map(([cell, { taken }]) => [cell, taken]),
    })),
  }
  return JSON.stringify(saved)
}

/** The world that `saveWorld` saved, with the same hash. It does not validate the text. */
export function loadWorld(text: string): World {
  const saved: Saved = JSON.parse(text)
  const world = makeWorld(saved.seed, saved.rules)
  world.seq = saved.seq
  for (const level of saved.levels) world.levels.set(level.depth, loadLevel(world, level))
  world.nextMonster = saved.nextMonster
  for (const { known, ...rest } of saved.players) {
    const player = { ...rest, known: new Map(known.map(([depth, bits]) => [depth, toBits(bits)])) }
    world.players.set(player.id, player)
    const level = world.levels.get(player.depth)
    if (level && player.isHere && player.ending === '') occupy(level, player)
  }
  return world
}

function loadLevel(world: World, saved: SavedLevel): Level {
  const level = stockLevel(world, generateLevel(world.seed, saved.depth, world.rules))
  level.monsters = saved.monsters
  level.changes = saved.changes
  level.piles = new Map(saved.piles)
  for (const [cell, tile] of saved.tiles) level.tiles[cell] = tile
  for (const [cell, taken] of saved.altars) {
    const altar = level.altars.get(cell)
    if (altar) altar.taken = taken
  }
  level.occupants.fill(0)
  for (const monster of level.monsters) level.occupants[monster.cell] = monster.id
  return level
}
