import { getLevel } from '../../game-server/core/get-level.ts'
import { height, width } from '../../game-server/core/grid.ts'
import { kindNumber } from '../../game-server/core/items/kinds.ts'
import { reveal } from '../../game-server/core/known-cells.ts'
import { monsterNumber } from '../../game-server/core/monsters/kinds.ts'
import { spawn } from '../../game-server/core/monsters/spawn.ts'
import { type GameEvent, toText } from '../../game-server/core/scene.ts'
import { step } from '../../game-server/core/step.ts'
import { T } from '../../game-server/core/tiles.ts'
import { getPlayer, type Monster, type Mood, makeWorld, rules } from '../../game-server/core/world.ts'

const middle = 20 * width + 40

/**
 * An empty hall with the first player in the middle, for scenes that a test sets up. Places are given in steps east
 * and south of the middle; the hall reaches 18 steps east and west, and 9 north and south.
 */
export function makeArena({ seed = 'arena', players = 1, depth = 5, byRules = rules } = {}) {
  const world = makeWorld(seed, byRules)
  const level = getLevel(world, depth)
  const at = (east: number, south: number): number => middle + south * width + east
  level.tiles.fill(T.wall)
  for (let y = 11; y <= height - 11; y++) level.tiles.fill(T.floor, y * width + 22, y * width + 59)
  level.monsters.length = 0
  level.piles.clear()
  level.traps.clear()
  level.altars.clear()
  level.occupants.fill(0)
  const occupy = (id: number, cell: number) => {
    const player = getPlayer(world, id)
    player.depth = depth
    player.deepest = depth
    player.cell = cell
    level.occupants[cell] = -id
    reveal(level, player)
  }
  for (let id = 1; id <= players; id++) {
    step(world, { is: 'join', name: `p${id}`, kind: 'human' }, [])
    occupy(id, at(id - 1, 0))
  }
  getLevel(world, 1).occupants.fill(0)
  const player = getPlayer(world, 1)

  return {
    world,
    level,
    player,
    at,
    occupy,
    /** Sets a tile, or a rectangle of tiles from one place to another. */
    lay(tile: number, east: number, south: number, east2 = east, south2 = south) {
      for (let y = south; y <= south2; y++) for (let x = east; x <= east2; x++) level.tiles[at(x, y)] = tile
      level.changes.push(at(east, south))
    },
    put(id: string, east: number, south: number, mood: Mood = 'idle'): Monster {
      return spawn(world, level, monsterNumber(id), at(east, south), mood)
    },
    drop(id: string, east: number, south: number, { count = 1, power = 0, vault = 0 } = {}) {
      level.piles.set(at(east, south), { kind: kindNumber(id), count, power, taken: 0, vault })
    },
    /** Puts an item into the pack of the first player, and returns the key that uses it. */
    give(id: string, { count = 1, power = 0 } = {}): string {
      player.pack.unshift({ kind: kindNumber(id), count, power })
      return '1'
    },
    /** Presses a key for a player, and returns the text that the player reads and the number of turns it took. */
    press(key: string, id = 1): { told: string; spent: number } {
      const events: GameEvent[] = []
      const result = step(world, { is: 'key', player: id, key }, events)
      if (!result.ok) throw new Error(`${key}: ${result.error}`)
      const own = events.filter((event) => event.to === id || event.by === id)
      return { told: own.map((event) => toText(event, id)).join('\n'), spent: result.spent }
    },
    /** Presses a key repeatedly until a condition holds, at most `most` times, and returns whether it holds. */
    pressUntil(key: string, most: number, holds: () => boolean): boolean {
      for (let i = 0; i < most && !holds() && player.ending === ''; i++) this.press(key)
      return holds()
    },
  }
}
