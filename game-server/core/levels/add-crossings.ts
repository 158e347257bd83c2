import { cellCount, offsets, width } from '../grid.ts'
import { below } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'
import { type Flood, flood, makeFlood, plainWay } from './flood.ts'

interface Crossing {
  from: number
  step: number
  length: number
}

const dry = makeFlood()
const wet = makeFlood()
const detour = makeFlood()
const shore = new Int16Array(cellCount)
let shoreCount = 0

/**
 * Lays bridges over deep water or chasms (`hazard`) until everything that they cut off can be reached on foot, then up
 * to `shortcuts` more where the way round is long.
 */
export function addCrossings(draft: Draft, hazard: number, shortcuts: number): void {
  const { rng, tiles, taken } = draft
  const anyhow = plainWay.slice()
  anyhow[hazard] = 1
  let start = tiles.indexOf(T.floor)
  while (start !== -1 && taken[start] !== 0) start = tiles.indexOf(T.floor, start + 1)
  // Bridges only replace hazard cells, so `wet` contains every cell that they can make reachable.
  flood(tiles, start, anyhow, wet)
  listShore(tiles, hazard)
  for (let round = 0; round < 60; round++) {
    flood(tiles, start, plainWay, dry)
    const crossing = findCrossing(tiles, hazard)
    if (!crossing) break
    layBridge(tiles, crossing)
  }
  for (let tries = 0, made = 0; tries < 60 && made < shortcuts; tries++) {
    const cell = dry.cells[below(rng, dry.count)] ?? 0
    const crossing = findShortcut(tiles, hazard, cell)
    if (!crossing) continue
    flood(tiles, cell, plainWay, detour, 30)
    if (detour.distance[endOf(crossing)] !== -1) continue
    layBridge(tiles, crossing)
    made++
  }
}

const endOf = ({ from, step, length }: Crossing): number => from + step * (length + 1)

function layBridge(tiles: Uint8Array, { from, step, length }: Crossing): void {
  for (let n = 1; n <= length; n++) tiles[from + step * n] = T.bridge
}

/** Lists the cells at which a bridge may begin, in the order of `wet`, once for all bridges. */
function listShore(tiles: Uint8Array, hazard: number): void {
  shoreCount = 0
  for (let n = 0; n < wet.count; n++) {
    const cell = wet.cells[n] ?? 0
    const isShore =
      tiles[cell] === hazard ||
      tiles[cell - width] === hazard ||
      tiles[cell + 1] === hazard ||
      tiles[cell + width] === hazard ||
      tiles[cell - 1] === hazard
    if (isShore) shore[shoreCount++] = cell
  }
}

/** The shortest straight bridge to ground that is cut off; if there is none, one cell of a bridge towards it. */
function findCrossing(tiles: Uint8Array, hazard: number): Crossing | undefined {
  let best: Crossing | undefined
  // Ground that is cut off has a shore that `dry` has not reached.
  let isAnythingCutOff = false
  for (let n = 0; n < shoreCount; n++) {
    const from = shore[n] ?? 0
    if (tiles[from] === hazard) continue
    if (dry.distance[from] === -1) {
      isAnythingCutOff = true
      continue
    }
    for (let d = 0; d < 4; d++) {
      const step = offsets[d] ?? 0
      const length = measureCrossing(tiles, hazard, from, step)
      if (length === 0 || (best && length >= best.length)) continue
      if (dry.distance[from + step * (length + 1)] === -1) best = { from, step, length }
    }
  }
  return best ?? (isAnythingCutOff ? stepOut(tiles, hazard, dry) : undefined)
}

/** The first straight bridge from a cell over the hazard that is short enough. */
function findShortcut(tiles: Uint8Array, hazard: number, from: number): Crossing | undefined {
  for (let d = 0; d < 4; d++) {
    const step = offsets[d] ?? 0
    const length = measureCrossing(tiles, hazard, from, step)
    if (length > 0 && length < 9) return { from, step, length }
  }
  return undefined
}

/** How many hazard cells lie in a straight line between a cell and the next ground; 0 if there is no such line. */
function measureCrossing(tiles: Uint8Array, hazard: number, from: number, step: number): number {
  if (tiles[from + step] !== hazard) return 0
  let length = 1
  while (tiles[from + step * (length + 1)] === hazard) length++
  return plainWay[tiles[from + step * (length + 1)] ?? T.wall] === 1 ? length : 0
}

/** One cell of a bridge into the hazard, towards ground that is cut off. */
function stepOut(tiles: Uint8Array, hazard: number, reached: Flood): Crossing | undefined {
  const beyond = wet.cells
    .subarray(0, wet.count)
    .find((cell) => tiles[cell] !== hazard && reached.distance[cell] === -1)
  if (beyond === undefined) return undefined
  const anyhow = plainWay.slice()
  anyhow[hazard] = 1
  flood(tiles, beyond, anyhow, detour)
  let best: Crossing | undefined
  let nearest = cellCount
  for (let n = 0; n < reached.count; n++) {
    const from = reached.cells[n] ?? 0
    for (let d = 0; d < 4; d++) {
      const step = offsets[d] ?? 0
      const steps = detour.distance[from + step] ?? -1
      if (tiles[from + step] !== hazard || steps === -1 || steps >= nearest) continue
      nearest = steps
      best = { from, step, length: 1 }
    }
  }
  return best
}
