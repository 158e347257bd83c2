import { cellCount, width } from '../grid.ts'
import { T } from '../tiles.ts'

const plain = [
  T.floor,
  T.door,
  T.stairsDown,
  T.stairsUp,
  T.water,
  T.grass,
  T.altar,
  T.rubble,
  T.hiddenTrap,
  T.knownTrap,
  T.arch,
  T.fungus,
  T.bridge,
  T.tallGrass,
]

const toTable = (tiles: readonly number[]): Uint8Array => {
  const table = new Uint8Array(32)
  for (const tile of tiles) table[tile] = 1
  return table
}

/** Tiles that can be walked without searching, swimming or falling. */
export const plainWay: Uint8Array = toTable(plain)
/** Tiles that can be reached by searching and swimming, too. */
export const anyWay: Uint8Array = toTable([...plain, T.secretDoor, T.deepWater])

export interface Flood {
  /** Steps from the start; -1 for cells not reached. */
  distance: Int16Array
  /** The cells reached, the nearest first; only the first `count` entries are valid. */
  cells: Int16Array
  count: number
}

export const makeFlood = (): Flood => ({
  distance: new Int16Array(cellCount),
  cells: new Int16Array(cellCount),
  count: 0,
})

/**
 * Fills `out` with the cells that are reached from a cell in at most `most` steps. Steps are never diagonal, so that
 * levels are connected whether or not the rules allow diagonal steps around corners.
 */
export function flood(tiles: Uint8Array, from: number, way: Uint8Array, out: Flood, most = cellCount): Flood {
  const { distance, cells } = out
  distance.fill(-1)
  distance[from] = 0
  cells[0] = from
  let tail = 1
  for (let head = 0; head < tail; head++) {
    const cell = cells[head] ?? 0
    const next = (distance[cell] ?? 0) + 1
    if (next > most) break
    // The four sides are unrolled, in the order of `offsets`, because level generation spends much of its time here.
    const north = cell - width
    if (distance[north] === -1 && way[tiles[north] ?? 0] === 1) {
      distance[north] = next
      cells[tail++] = north
    }
    const east = cell + 1
    if (distance[east] === -1 && way[tiles[east] ?? 0] === 1) {
      distance[east] = next
      cells[tail++] = east
    }
    const south = cell + width
    if (distance[south] === -1 && way[tiles[south] ?? 0] === 1) {
      distance[south] = next
      cells[tail++] = south
    }
    const west = cell - 1
    if (distance[west] === -1 && way[tiles[west] ?? 0] === 1) {
      distance[west] = next
      cells[tail++] = west
    }
  }
  out.count = tail
  return out
}
