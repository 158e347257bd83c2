import { fov, sightRadius } from './fov.ts'
import { cellCount } from './grid.ts'
import { turnsOf } from './status.ts'
import type { Level, Player } from './world.ts'

/** What a player sees: `lit` by cell, and the first `count` of `cells` as a list. Valid until the next `sightOf`. */
export interface Sight {
  readonly lit: Uint8Array
  readonly cells: Int16Array
  count: number
}

/** A cached sight, with the values that it depends on. */
interface Look extends Sight {
  level: Level | undefined
  cell: number
  radius: number
  /** The number of changed tiles of the level, each of which may have opened or closed a view. */
  changes: number
}

/** The most cells that can be lit: a square around the player. */
const mostLit = (2 * sightRadius + 1) ** 2
/** One cache for each player, because most have not moved since their last look. */
const looks = new WeakMap<Player, Look>()
/** How many there are at most. No host serves more who move; thousands who only wait would each hold 4 KB. */
const mostLooks = 1024
/** The players who have one. The list keeps none of them in memory, nor their worlds. */
const lookers: WeakRef<Player>[] = []
/** The place in that list of the player who has had one for longest, when it is full. */
let nextPlace = 0

/** How far a player sees, in cells. */
export const radiusOf = (player: Player): number => (turnsOf(player, 'blind') > 0 ? 1 : sightRadius)

function lookOf(player: Player): Look {
  const known = looks.get(player)
  if (known) return known
  const look = takeOldest() ?? newLook()
  looks.set(player, look)
  lookers[nextPlace] = new WeakRef(player)
  nextPlace = (nextPlace + 1) % mostLooks
  return look
}

function newLook(): Look {
  const lit = new Uint8Array(cellCount)
  return { lit, cells: new Int16Array(mostLit), count: 0, level: undefined, cell: -1, radius: -1, changes: -1 }
}

/** Takes over the buffers of the player who has had them for longest, in place of leaving them to be collected. */
function takeOldest(): Look | undefined {
  const player = lookers[nextPlace]?.deref()
  const look = player && looks.get(player)
  if (!look) return undefined
  looks.delete(player)
  look.level = undefined
  return look
}

/** What a player sees now, computed again only if the player or the level has changed. */
export function sightOf(level: Level, player: Player): Sight {
  const look = lookOf(player)
  const { cell } = player
  const radius = radiusOf(player)
  const changes = level.changes.length
  if (look.level === level && look.cell === cell && look.radius === radius && look.changes === changes) return look
  for (let at = 0; at < look.count; at++) look.lit[look.cells[at] ?? 0] = 0
  look.count = fov(level.tiles, cell, radius, look.lit, look.cells)
  look.level = level
  look.cell = cell
  look.radius = radius
  look.changes = changes
  return look
}
