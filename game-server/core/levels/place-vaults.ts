import { cellCount, height, width } from '../grid.ts'
import { below, chance } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'
import { furnishCell } from './furnish-cell.ts'
import { openSideOf } from './open-side.ts'
import { setPieces, treasuries, type VaultTemplate } from './vault-templates.ts'

const treasuryDepths: readonly number[] = [2, 3, 5, 6, 8, 9, 11]

/** Builds hand-made vaults into rock beside existing floor, rotated and mirrored to fit. */
export function placeVaults(draft: Draft): void {
  const { rng, depth } = draft
  const fits = ({ from, to }: VaultTemplate) => depth >= from && depth <= to
  if (treasuryDepths.includes(depth)) placeOne(draft, treasuries.filter(fits))
  const unused = setPieces.filter(fits)
  for (let left = 1 + below(rng, 2) + (depth > 3 ? 1 : 0); left > 0; left--) placeOne(draft, unused)
}

/** Takes templates from the list until one of them fits somewhere. */
function placeOne(draft: Draft, unused: VaultTemplate[]): void {
  const { rng } = draft
  const count = findWalls(draft)
  for (let tries = 0; tries < 6 && unused.length > 0; tries++) {
    const rows = unused.splice(below(rng, unused.length), 1)[0]?.rows ?? []
    const entrance = (rows.at(-1) ?? '').search(/[+S']/)
    for (let spots = 0; spots < 40; spots++) {
      const wall = walls[below(rng, count)] ?? 0
      if (count === 0) return
      const out = openSideOf(draft.tiles, wall)
      const spot = makeSpot(wall, out, chance(rng, 50) ? -1 : 1, { x: entrance, y: rows.length - 1 })
      if (!hasRoom(draft, rows, spot)) continue
      build(draft, rows, spot)
      // Keeps water and chasms away from the cell before the entrance, where players search for secret doors.
      draft.taken[wall + out] = 1
      return
    }
  }
}

const walls = new Int16Array(cellCount)

/** Lists in `walls` the cells with free floor on one side and rock on the others; returns how many. */
function findWalls({ tiles, taken }: Draft): number {
  let count = 0
  for (let cell = 2 * width; cell < cellCount - 2 * width; cell++) {
    if (tiles[cell] !== T.wall) continue
    const out = openSideOf(tiles, cell)
    if (out !== 0 && tiles[cell + out] === T.floor && taken[cell + out] !== 1) walls[count++] = cell
  }
  return count
}

/** The position of a vault: the cell of its first sign, the step along a row, and the step to the next row. */
interface Spot {
  x: number
  y: number
  rowX: number
  rowY: number
  outX: number
  outY: number
}

/** Rotates a vault so that its entrance is at `wall` and its last row faces the floor before that. */
function makeSpot(wall: number, out: number, mirror: number, entrance: { x: number; y: number }): Spot {
  const outY = out === width ? 1 : out === -width ? -1 : 0
  const outX = outY === 0 ? out : 0
  const rowX = -outY * mirror
  const rowY = outX * mirror
  const x = (wall % width) - entrance.x * rowX - entrance.y * outX
  const y = Math.floor(wall / width) - entrance.x * rowY - entrance.y * outY
  return { x, y, rowX, rowY, outX, outY }
}

/** The cell of the sign at position `at` of a row; 0 if it would be at the rim of the level or beyond. */
function cellOf({ x, y, rowX, rowY, outX, outY }: Spot, at: number, row: number): number {
  const column = x + at * rowX + row * outX
  const line = y + at * rowY + row * outY
  return column < 1 || line < 1 || column > width - 2 || line > height - 2 ? 0 : line * width + column
}

function hasRoom({ tiles, taken }: Draft, rows: readonly string[], spot: Spot): boolean {
  for (const [row, signs] of rows.entries())
    for (let at = 0; at < signs.length; at++) {
      if (signs[at] === ' ') continue
      const cell = cellOf(spot, at, row)
      if (cell === 0 || tiles[cell] !== T.wall || taken[cell] === 1) return false
    }
  return true
}

function build(draft: Draft, rows: readonly string[], spot: Spot): void {
  draft.vaults++
  const isTreasury = rows.join('').includes('?')
  for (const [row, signs] of rows.entries())
    for (const [at, sign] of Array.from(signs).entries()) {
      if (sign === ' ') continue
      const cell = cellOf(spot, at, row)
      furnishCell(draft, sign, cell)
      if (isTreasury && sign !== '#') draft.treasuries.push(cell)
    }
}
