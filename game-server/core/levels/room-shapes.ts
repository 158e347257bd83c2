import { below, between, chance, type Rng } from '../prng.ts'

/** The cells of a room in its own box: 1 is floor. */
export interface RoomShape {
  width: number
  height: number
  mask: Uint8Array
}

const draw = (width: number, height: number, isFloor: (x: number, y: number) => boolean): RoomShape => {
  const mask = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) mask[y * width + x] = isFloor(x, y) ? 1 : 0
  return { width, height, mask }
}

export const rectangle = (rng: Rng): RoomShape => draw(between(rng, 4, 12), between(rng, 3, 6), () => true)

/** Two bars across each other. */
export const cross = (rng: Rng): RoomShape => {
  const width = between(rng, 8, 15)
  const height = between(rng, 6, 10)
  const left = between(rng, 2, 3)
  const top = between(rng, 2, 3)
  const isUpright = (x: number) => x >= left && x < width - left
  return draw(width, height, (x, y) => isUpright(x) || (y >= top && y < height - top))
}

export const corner = (rng: Rng): RoomShape => {
  const width = between(rng, 6, 11)
  const height = between(rng, 5, 9)
  const cutX = between(rng, 2, width - 3)
  const cutY = between(rng, 2, height - 3)
  const fromLeft = chance(rng, 50)
  const fromTop = chance(rng, 50)
  return draw(
    width,
    height,
    (x, y) => (fromLeft ? x >= cutX : x < width - cutX) || (fromTop ? y >= cutY : y < height - cutY),
  )
}

export const disc = (rng: Rng): RoomShape => {
  const radius = between(rng, 2, 4)
  const reach = radius * radius + radius
  return draw(2 * radius + 1, 2 * radius + 1, (x, y) => (x - radius) ** 2 + (y - radius) ** 2 < reach)
}

/** A hall with a row of columns along each long wall. */
export const pillared = (rng: Rng): RoomShape => {
  const width = 2 * between(rng, 4, 7) + 1
  const height = between(rng, 6, 8)
  return draw(width, height, (x, y) => x % 2 === 0 || (y !== 1 && y !== height - 2))
}

/** A nave with burial niches on both sides. */
export const niches = (rng: Rng): RoomShape => {
  const width = 2 * between(rng, 3, 8) + 1
  return draw(width, 5, (x, y) => (y > 0 && y < 4) || x % 2 === 1)
}

/** A ring around a solid core. */
export const cloister = (rng: Rng): RoomShape => {
  const width = between(rng, 8, 13)
  const height = between(rng, 7, 9)
  const walk = below(rng, 2) + 1
  const isCore = (x: number, y: number) => x > walk && x < width - 1 - walk && y > walk && y < height - 1 - walk
  return draw(width, height, (x, y) => !isCore(x, y))
}
