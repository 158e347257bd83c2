import { cellCount, height, offsets, width } from '../grid.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'
import { flood, makeFlood, plainWay } from './flood.ts'

const walked = makeFlood()
const from = new Int16Array(cellCount)
const queue = new Int16Array(cellCount)
const label = new Int16Array(cellCount)

/** Fills areas of fewer than `least` cells, and digs tunnels from the others to the largest one. */
export function joinPlaces({ tiles }: Draft, least: number): void {
  label.fill(0)
  const places: { start: number; size: number; name: number }[] = []
  for (let cell = 0; cell < cellCount; cell++) {
    if (tiles[cell] === T.wall || label[cell] !== 0) continue
    flood(tiles, cell, plainWay, walked)
    const reached = walked.cells.subarray(0, walked.count)
    if (walked.count < least) {
      for (const filled of reached) tiles[filled] = T.wall
      continue
    }
    const name = places.length + 1
    for (const named of reached) label[named] = name
    places.push({ start: cell, size: walked.count, name })
  }
  places.sort((a, b) => b.size - a.size)
  const main = places[0]?.name ?? 0
  for (const { start, name } of places.slice(1)) if (label[start] !== main) digTunnel(tiles, name, main)
}

/** Digs the shortest tunnel from one area to the main one, and relabels the area as part of the main one. */
function digTunnel(tiles: Uint8Array, name: number, main: number): void {
  from.fill(-1)
  let tail = 0
  for (let cell = 0; cell < cellCount; cell++) {
    if (label[cell] !== name) continue
    from[cell] = cell
    queue[tail++] = cell
  }
  for (let head = 0; head < tail; head++) {
    const cell = queue[head] ?? 0
    if (label[cell] === main) {
      for (let dug = cell; label[dug] !== name; dug = from[dug] ?? 0) if (tiles[dug] === T.wall) tiles[dug] = T.floor
      break
    }
    for (let d = 0; d < 4; d++) {
      const to = cell + (offsets[d] ?? 0)
      if (from[to] !== -1 || !isInside(to)) continue
      from[to] = cell
      queue[tail++] = to
    }
  }
  for (let cell = 0; cell < cellCount; cell++) if (label[cell] === name) label[cell] = main
}

const isInside = (cell: number): boolean => {
  const x = cell % width
  return x > 1 && x < width - 2 && cell > 2 * width && cell < (height - 2) * width
}
