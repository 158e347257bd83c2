import { height, offsets, width } from '../grid.ts'
import { below, between, chance, pick, type Rng } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'
import { openSideOf } from './open-side.ts'
import type { RoomShape } from './room-shapes.ts'

interface Style {
  /** Chosen with equal probability; a shape that is listed twice is chosen twice as often. */
  shapes: readonly ((rng: Rng) => RoomShape)[]
  rooms: number
  doorPercent: number
  hallPercent: number
}

/** Digs one room in the middle and attaches others to it, until there are enough or too many attempts have failed. */
export function attachRooms(draft: Draft, style: Style): void {
  const { rng, tiles } = draft
  const first = pick(rng, style.shapes)(rng)
  const left = between(rng, 10, width - 11 - first.width)
  const top = between(rng, 6, height - 7 - first.height)
  digRoom(tiles, first, top * width + left)
  for (let rooms = 1, tries = 0; rooms < style.rooms && tries < 4000; tries++) {
    const door = between(rng, 2, height - 3) * width + between(rng, 2, width - 3)
    if (tiles[door] !== T.wall) continue
    const out = openSideOf(tiles, door)
    if (out === 0 || tiles[door + out] !== T.floor) continue
    const hall = chance(rng, style.hallPercent) ? between(rng, 2, 8) : 0
    const shape = pick(rng, style.shapes)(rng)
    const corner = placeRoom(rng, shape, door, -out, hall)
    if (corner === 0 || !isHallFree(tiles, door, -out, hall) || !isRoomFree(tiles, shape, corner, door)) continue
    digRoom(tiles, shape, corner)
    for (let step = 1; step <= hall; step++) tiles[door - out * step] = T.floor
    tiles[door] = chance(rng, style.doorPercent) ? T.door : T.floor
    rooms++
  }
}

function digRoom(tiles: Uint8Array, { width: wide, height: high, mask }: RoomShape, corner: number): void {
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) if (mask[y * wide + x] === 1) tiles[corner + y * width + x] = T.floor
}

/** The north-west corner of a room that is entered through a door and a hall; 0 if it would leave the level. */
function placeRoom(rng: Rng, shape: RoomShape, door: number, away: number, hall: number): number {
  const stepX = away === 1 ? 1 : away === -1 ? -1 : 0
  const stepY = away === width ? 1 : away === -width ? -1 : 0
  const entrance = pickEntrance(rng, shape, stepX, stepY)
  const left = (door % width) + stepX * (hall + 1) - (entrance % shape.width)
  const top = Math.floor(door / width) + stepY * (hall + 1) - Math.floor(entrance / shape.width)
  if (left < 2 || top < 2 || left + shape.width > width - 2 || top + shape.height > height - 2) return 0
  return top * width + left
}

const entrances = new Int16Array(256)

/** A random cell by which the room can be entered with this step: the cell before it is not part of the room. */
function pickEntrance(rng: Rng, { width: wide, height: high, mask }: RoomShape, stepX: number, stepY: number): number {
  let count = 0
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const cell = y * wide + x
      if (mask[cell] !== 1) continue
      const beforeX = x - stepX
      const beforeY = y - stepY
      const isOutside = beforeX < 0 || beforeY < 0 || beforeX >= wide || beforeY >= high
      if (isOutside || mask[beforeY * wide + beforeX] !== 1) entrances[count++] = cell
    }
  return entrances[below(rng, count)] ?? 0
}

function isHallFree(tiles: Uint8Array, door: number, away: number, hall: number): boolean {
  for (let step = 1; step <= hall; step++) if (!isInRock(tiles, door + away * step, door)) return false
  return true
}

function isRoomFree(
  tiles: Uint8Array,
  { width: wide, height: high, mask }: RoomShape,
  corner: number,
  door: number,
): boolean {
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++)
      if (mask[y * wide + x] === 1 && !isInRock(tiles, corner + y * width + x, door)) return false
  return true
}

/** Whether a cell and its eight neighbours are rock, except for the door. */
function isInRock(tiles: Uint8Array, cell: number, door: number): boolean {
  if (tiles[cell] !== T.wall) return false
  for (let d = 0; d < 8; d++) {
    const beside = cell + (offsets[d] ?? 0)
    if (tiles[beside] !== T.wall && beside !== door) return false
  }
  return true
}
