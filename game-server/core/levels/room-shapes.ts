import { below, between, chance, type Rng } from '../prng.ts'

/** The cells of a room in its bounding box, row by row: 1 is floor. Valid until the next shape is drawn. */
export interface RoomShape {
  width: number
  height: number
  mask: Uint8Array
}

// One buffer for all shapes: hundreds are drawn for a level, and most are discarded. None has more than 150 cells.
const mask = new Uint8Array(256)

function draw(width: number, height: number): RoomShape {
  mask.fill(1, 0, width * height)
  return { width, height, mask }
}

/** Sets a part of the bounding box; `right` and `bottom` are exclusive. */
function setBox(shape: RoomShape, left: number, top: number, right: number, bottom: number, value: number): void {
  for (let y = top; y < bottom; y++) shape.mask.fill(value, y * shape.width + left, y * shape.width + right)
}

/** Sets every other cell of a row to rock. */
function setColumns(shape: RoomShape, row: number, first: number): void {
  for (let x = first; x < shape.width; x += 2) shape.mask[row * shape.width + x] = 0
}

export const rectangle = (rng: Rng): RoomShape => draw(between(rng, 4, 12), between(rng, 3, 6))

/** A cross of two bars. */
export const cross = (rng: Rng): RoomShape => {
  const width = between(rng, 8, 15)
  const height = between(rng, 6, 10)
  const left = between(rng, 2, 3)
  const top = between(rng, 2, 3)
  const shape = draw(width, height)
  setBox(shape, 0, 0, left, top, 0)
  setBox(shape, width - left, 0, width, top, 0)
  setBox(shape, 0, height - top, left, height, 0)
  setBox(shape, width - left, height - top, width, height, 0)
  return shape
}

export const corner = (rng: Rng): RoomShape => {
  const width = between(rng, 6, 11)
  const height = between(rng, 5, 9)
  const cutX = between(rng, 2, width - 3)
  const cutY = between(rng, 2, height - 3)
  const left = chance(rng, 50) ? 0 : width - cutX
  const top = chance(rng, 50) ? 0 : height - cutY
  const shape = draw(width, height)
  setBox(shape, left, top, left + cutX, top + cutY, 0)
  return shape
}

export const disc = (rng: Rng): RoomShape => {
  const radius = between(rng, 2, 4)
  const reach = radius * radius + radius
  const size = 2 * radius + 1
  const shape = draw(size, size)
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++)
      if ((x - radius) * (x - radius) + (y - radius) * (y - radius) >= reach) shape.mask[y * size + x] = 0
  return shape
}

/** A hall with a row of columns along each long wall. */
export const pillared = (rng: Rng): RoomShape => {
  const width = 2 * between(rng, 4, 7) + 1
  const height = between(rng, 6, 8)
  const shape = draw(width, height)
  setColumns(shape, 1, 1)
  setColumns(shape, height - 2, 1)
  return shape
}

/** A nave with burial niches on both sides. */
export const niches = (rng: Rng): RoomShape => {
  const shape = draw(2 * between(rng, 3, 8) + 1, 5)
  setColumns(shape, 0, 0)
  setColumns(shape, 4, 0)
  return shape
}

/** A ring around a solid core. */
export const cloister = (rng: Rng): RoomShape => {
  const width = between(rng, 8, 13)
  const height = between(rng, 7, 9)
  const walk = below(rng, 2) + 1
  const shape = draw(width, height)
  setBox(shape, walk + 1, walk + 1, width - 1 - walk, height - 1 - walk, 0)
  return shape
}
