import { cellCount, height, offsets, width } from '../grid.ts'
import { below, chance } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'
import { furnishCell } from './furnish-cell.ts'
import { setPieces, treasuries, type VaultTemplate } from './vault-templates.ts'

const treasuryDepths: readonly number[] = [2, 3, 5, 6, 8, 9, 11]

/** Builds hand-made places into the rock beside what is there, turned and mirrored to fit. */
export function placeVaults(draft: Draft): void {
  const { rng, depth } = draft
  const fits = ({ from, to }: VaultTemplate) => depth >= from && depth <= to
  if (treasuryDepths.includes(depth)) placeOne(draft, treasuries.filter(fits))
  const unused = setPieces.filter(fits)
  for (let left = 1 + below(rng, 2) + (depth > 3 ? 1 : 0); left > 0; left--) placeOne(draft, unused)
}

/** Takes templates off the list until one of them fits somewhere. */
function placeOne(draft: Draft, unused: VaultTemplate[]): void {
  const { rng } = draft
  const walls = findWalls(draft)
  for (let tries = 0; tries < 6 && unused.length > 0; tries++) {
    const rows = unused.splice(below(rng, unused.length), 1)[0]?.rows ?? []
    const entrance = (rows.at(-1) ?? '').search(/[+S']/)
    for (let spots = 0; spots < 40; spots++) {
      const wall = walls[below(rng, walls.length)]
      if (!wall) return
      const mirror = chance(rng, 50) ? -1 : 1
      const toCell = (x: number, y: number) => {
        const right = (x - entrance) * mirror
        const up = rows.length - 1 - y
        return { x: wall.x + right * -wall.outY - up * wall.outX, y: wall.y + right * wall.outX - up * wall.outY }
      }
      if (!hasRoom(draft, rows, toCell)) continue
      build(draft, rows, toCell)
      // No water and no chasm may come between a secret door and those who look for it.
      draft.taken[(wall.y + wall.outY) * width + wall.x + wall.outX] = 1
      return
    }
  }
}

interface Wall {
  x: number
  y: number
  /** The step out of the vault, onto the floor before it. */
  outX: number
  outY: number
}

function findWalls({ tiles, taken }: Draft): Wall[] {
  const walls: Wall[] = []
  for (let cell = 2 * width; cell < cellCount - 2 * width; cell++) {
    if (tiles[cell] !== T.wall) continue
    let out = 0
    let open = 0
    for (let d = 0; d < 4; d++) {
      const offset = offsets[d] ?? 0
      if (tiles[cell + offset] === T.wall) continue
      open++
      out = offset
    }
    if (open !== 1 || tiles[cell + out] !== T.floor || taken[cell + out] === 1) continue
    const outY = out === width ? 1 : out === -width ? -1 : 0
    walls.push({ x: cell % width, y: Math.floor(cell / width), outX: outY === 0 ? out : 0, outY })
  }
  return walls
}

type ToCell = (x: number, y: number) => { x: number; y: number }

function hasRoom({ tiles, taken }: Draft, rows: readonly string[], toCell: ToCell): boolean {
  return rows.every((row, y) =>
    Array.from(row).every((sign, x) => {
      if (sign === ' ') return true
      const at = toCell(x, y)
      if (at.x < 1 || at.y < 1 || at.x > width - 2 || at.y > height - 2) return false
      const cell = at.y * width + at.x
      return tiles[cell] === T.wall && taken[cell] !== 1
    }),
  )
}

function build(draft: Draft, rows: readonly string[], toCell: ToCell): void {
  draft.vaults++
  const isTreasury = rows.join('').includes('?')
  rows.forEach((row, y) => {
    Array.from(row).forEach((sign, x) => {
      if (sign === ' ') return
      const at = toCell(x, y)
      const cell = at.y * width + at.x
      furnishCell(draft, sign, cell)
      if (isTreasury && sign !== '#') draft.treasuries.push(cell)
    })
  })
}
