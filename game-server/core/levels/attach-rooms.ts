import { height, offsets, width } from '../grid.ts'
import { below, between, chance, pick, type Rng } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'
import type { RoomShape } from './room-shapes.ts'

interface Style {
  /** Drawn from with equal chances; a shape named twice is drawn twice as often. */
  shapes: readonly ((rng: Rng) => RoomShape)[]
  rooms: number
  doorPercent: number
  hallPercent: number
}

/** Starts with one room in the middle and attaches others to what is there, until the level is full or the luck is out. */
export function attachRooms(draft: Draft, style: Style): void {
  const { rng, tiles } = draft
  const first = pick(rng, style.shapes)(rng)
  const left = between(rng, 10, width - 11 - first.width)
  const top = between(rng, 6, height - 7 - first.height)
  for (const cell of cellsOf(first, left, top)) tiles[cell] = T.floor
  for (let rooms = 1, tries = 0; rooms < style.rooms && tries < 4000; tries++) {
    const cell = between(rng, 2, height - 3) * width + between(rng, 2, width - 3)
    const away = awayFromFloor(tiles, cell)
    if (away === 0) continue
    const hall = chance(rng, style.hallPercent) ? between(rng, 2, 8) : 0
    const cells = placeRoom(rng, pick(rng, style.shapes)(rng), cell, away, hall)
    if (!cells || !isFree(tiles, cells, cell)) continue
    for (const open of cells) tiles[open] = T.floor
    tiles[cell] = chance(rng, style.doorPercent) ? T.door : T.floor
    rooms++
  }
}

function cellsOf(shape: RoomShape, left: number, top: number): number[] {
  const cells: number[] = []
  for (let y = 0; y < shape.height; y++)
    for (let x = 0; x < shape.width; x++)
      if (shape.mask[y * shape.width + x] === 1) cells.push((top + y) * width + left + x)
  return cells
}

/** The step from the only floor beside a wall into the rock behind it; 0 if there is not exactly one. */
function awayFromFloor(tiles: Uint8Array, cell: number): number {
  if (tiles[cell] !== T.wall) return 0
  let away = 0
  for (let d = 0; d < 4; d++) {
    const offset = offsets[d] ?? 0
    if (tiles[cell + offset] === T.wall) continue
    if (away !== 0 || tiles[cell + offset] !== T.floor) return 0
    away = -offset
  }
  return away
}

/** The cells of a hall and a room behind a door, or undefined if they leave the level. */
function placeRoom(rng: Rng, shape: RoomShape, door: number, away: number, hall: number): number[] | undefined {
  const entrances: number[] = []
  const stepX = away === 1 ? 1 : away === -1 ? -1 : 0
  const stepY = away === width ? 1 : away === -width ? -1 : 0
  const isFloor = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < shape.width && y < shape.height && shape.mask[y * shape.width + x] === 1
  for (let y = 0; y < shape.height; y++)
    for (let x = 0; x < shape.width; x++)
      if (isFloor(x, y) && !isFloor(x - stepX, y - stepY)) entrances.push(y * shape.width + x)
  const entrance = entrances[below(rng, entrances.length)] ?? 0
  const left = (door % width) + stepX * (hall + 1) - (entrance % shape.width)
  const top = Math.floor(door / width) + stepY * (hall + 1) - Math.floor(entrance / shape.width)
  if (left < 2 || top < 2 || left + shape.width > width - 2 || top + shape.height > height - 2) return undefined
  const cells = cellsOf(shape, left, top)
  for (let step = 1; step <= hall; step++) cells.push(door + away * step)
  return cells
}

/** Whether rock surrounds all of the cells, but for the door. */
function isFree(tiles: Uint8Array, cells: readonly number[], door: number): boolean {
  for (const cell of cells) {
    if (tiles[cell] !== T.wall) return false
    for (const offset of offsets) if (cell + offset !== door && tiles[cell + offset] !== T.wall) return false
  }
  return true
}
