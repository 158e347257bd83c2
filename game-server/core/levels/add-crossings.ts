import { cellCount, offsets } from '../grid.ts'
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

/**
 * Lays bridges over deep water or chasms until everything they cut off can be walked to,
 * then some more where the way round is long.
 */
export function addCrossings(draft: Draft, hazard: number, shortcuts: number): void {
  const { rng, tiles, taken } = draft
  const anyhow = plainWay.slice()
  anyhow[hazard] = 1
  const start = tiles.findIndex((tile, cell) => tile === T.floor && taken[cell] === 0)
  // A bridge leads nowhere that the water under it did not.
  flood(tiles, start, anyhow, wet)
  for (let round = 0; round < 60; round++) {
    flood(tiles, start, plainWay, dry)
    const crossing = findCrossing(tiles, hazard)
    if (!crossing) break
    layBridge(tiles, crossing)
  }
  for (let tries = 0, made = 0; tries < 60 && made < shortcuts; tries++) {
    const cell = dry.cells[below(rng, dry.count)] ?? 0
    const crossing = crossingsFrom(tiles, hazard, cell).find(({ length }) => length < 9)
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

/** The shortest straight bridge to ground that is cut off, or one to the far end of what there is if none is straight. */
function findCrossing(tiles: Uint8Array, hazard: number): Crossing | undefined {
  let best: Crossing | undefined
  let isAnythingCutOff = false
  for (let n = 0; n < wet.count; n++) {
    const cell = wet.cells[n] ?? 0
    if (tiles[cell] === hazard) continue
    if (dry.distance[cell] === -1) {
      isAnythingCutOff = true
      continue
    }
    for (const crossing of crossingsFrom(tiles, hazard, cell)) {
      if (dry.distance[endOf(crossing)] !== -1) continue
      if (!best || crossing.length < best.length) best = crossing
    }
  }
  return best ?? (isAnythingCutOff ? stepOut(tiles, hazard, dry) : undefined)
}

const none: readonly Crossing[] = []

/** The straight ways from a cell over the hazard to ground on the other side: mostly none, for which nothing is made. */
function crossingsFrom(tiles: Uint8Array, hazard: number, from: number): readonly Crossing[] {
  let crossings = none
  for (let d = 0; d < 4; d++) {
    const step = offsets[d] ?? 0
    if (tiles[from + step] !== hazard) continue
    let length = 1
    while (tiles[from + step * (length + 1)] === hazard) length++
    const end = tiles[from + step * (length + 1)] ?? T.wall
    if (plainWay[end] === 1) crossings = [...crossings, { from, step, length }]
  }
  return crossings
}

/** One plank into the hazard towards the nearest ground that is cut off. */
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
