import { height, width } from '../grid.ts'
import { below, between, chance, type Rng } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'

interface Hall {
  left: number
  top: number
  right: number
  bottom: number
}

/** The Works: the level is split into adjacent halls; about a quarter of them stay solid rock. */
export function carveWorks(draft: Draft): void {
  const { rng, tiles } = draft
  const halls: Hall[] = []
  split(rng, { left: 2, top: 2, right: width - 3, bottom: height - 3 }, halls)
  const open = [below(rng, halls.length)]
  const wanted = Math.ceil((halls.length * 3) / 4)
  for (let tries = 0; open.length < wanted && tries < 2000; tries++) {
    const fromHall = open[below(rng, open.length)] ?? 0
    const toHall = below(rng, halls.length)
    const isNew = !open.includes(toHall)
    // Halls that are joined already sometimes get another door, so that there are loops.
    if (!isNew && (toHall === fromHall || !chance(rng, 12))) continue
    if (joinHalls(draft, halls[fromHall], halls[toHall]) && isNew) open.push(toHall)
  }
  for (const index of open) {
    const hall = halls[index]
    if (hall) furnishHall(rng, tiles, hall)
  }
}

function split(rng: Rng, hall: Hall, halls: Hall[]): void {
  const wide = hall.right - hall.left + 1
  const high = hall.bottom - hall.top + 1
  const isWide = wide > 2 * high || (wide > high && chance(rng, 60))
  const least = isWide ? 7 : 4
  const size = isWide ? wide : high
  const isDone = wide <= 18 && high <= 10 && chance(rng, 70)
  if (isDone || size < 2 * least + 1) {
    halls.push(hall)
    return
  }
  const cut = between(rng, least, size - least - 1)
  if (isWide) {
    split(rng, { ...hall, right: hall.left + cut - 1 }, halls)
    split(rng, { ...hall, left: hall.left + cut + 1 }, halls)
  } else {
    split(rng, { ...hall, bottom: hall.top + cut - 1 }, halls)
    split(rng, { ...hall, top: hall.top + cut + 1 }, halls)
  }
}

/** Makes a door, or a gap of two cells, in the wall between two halls; false if they share none that is long enough. */
function joinHalls({ rng, tiles }: Draft, a: Hall | undefined, b: Hall | undefined): boolean {
  if (!a || !b) return false
  const isBeside = a.right + 2 === b.left || b.right + 2 === a.left
  const isAbove = a.bottom + 2 === b.top || b.bottom + 2 === a.top
  if (!isBeside && !isAbove) return false
  const lo = isBeside ? Math.max(a.top, b.top) : Math.max(a.left, b.left)
  const hi = isBeside ? Math.min(a.bottom, b.bottom) : Math.min(a.right, b.right)
  if (hi - lo < 2) return false
  const wall = isBeside ? Math.min(a.right, b.right) + 1 : Math.min(a.bottom, b.bottom) + 1
  const at = between(rng, lo, hi - 1)
  const cell = isBeside ? at * width + wall : wall * width + at
  if (chance(rng, 65)) tiles[cell] = T.door
  else tiles[cell] = tiles[cell + (isBeside ? width : 1)] = T.floor
  return true
}

/** Digs a hall; in a great one it leaves rows of columns, a colonnade, or a block in the middle. */
function furnishHall(rng: Rng, tiles: Uint8Array, { left, top, right, bottom }: Hall): void {
  const isGreat = right - left > 8 && bottom - top > 4
  const style = isGreat ? below(rng, 4) : 3
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++) {
      const fromWall = Math.min(x - left, right - x, y - top, bottom - y)
      const isColumn = style === 0 && fromWall > 0 && (x - left) % 3 === 1 && (y - top) % 3 === 1
      const isMachine = style === 1 && fromWall > 1
      const isColonnade = style === 2 && fromWall === 1 && (x - left + y - top) % 2 === 0
      if (!isColumn && !isMachine && !isColonnade) tiles[y * width + x] = T.floor
    }
}
