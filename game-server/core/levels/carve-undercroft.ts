import { width } from '../grid.ts'
import { chance, pick } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'
import { furnishCell } from './furnish-cell.ts'

/**
 * The north half of the Undercroft and, as the last line, its middle row: narthex, nave with chapels, moat, choir and
 * the Amulet. Signs are those of the vaults; `H` is a bridge, `&` the Amulet, `B` the boss; digits stand for `lots`.
 */
const north: readonly string[] = [
  '############################################################################',
  '#############.....#...#.......#...#.....##########......##......############',
  '#############.3.1.#.1.#t.2.2.t#.1.#.1.3.##########.1..2.##.2..1.############',
  '#############.....#...#.......#...#.....##########......##......############',
  '###############+####S#####+#####S####+###############+######+###############',
  '##.......###..............................=====..........................###',
  '##.1...4..+.......2................2......HHHHH...........................##',
  '##.......####.#..#..#..#..#..#..#..#..#...=====..#..#..#..#..#....#..#....##',
  '############..............................=====...........................##',
  '############..............................=====...........................##',
  '############....t.....t.......t.....t.....=====...##################......##',
  '#######...................................=====...#................#......##',
  '#####.........##......##.....##......##...=====...#.t..t..t..t...*.#..2...##',
  '####..........##......##.....##......##...=====...#................#......##',
  '####..t...................................=====...#...........v....#......##',
  '####..............#..........#..........#.=====...#.t..t..t..t.....#.1....##',
  '####......................................=====...#.............t..#......##',
  '###<....................................g.HHHHH...+............B..&#...2..##',
]

const lots: Readonly<Record<string, readonly string[]>> = {
  1: ['!', '!', '$', '_', 'a'],
  2: ['m', 'm', 'p', '.', 'a'],
  3: ['t', 'f', '*', '$'],
  4: ['m', '!', '.'],
}

/** Builds the last level: the south mirrors the north, its contents are drawn at random, and it may be flipped. */
export function carveUndercroft(draft: Draft): void {
  const isTurned = chance(draft.rng, 50)
  const middle = north.length - 1
  for (let y = 0; y <= 2 * middle; y++) {
    const row = north[y <= middle ? y : 2 * middle - y] ?? ''
    for (let x = 0; x < row.length; x++) {
      const sign = row[x] ?? '#'
      const lot = lots[sign]
      furnishCell(draft, lot ? pick(draft.rng, lot) : sign, (y + 2) * width + 2 + (isTurned ? row.length - 1 - x : x))
    }
  }
  // Free floor may get the items of every level; cells with planned items and monsters stay taken.
  for (let cell = 0; cell < draft.tiles.length; cell++) if (draft.tiles[cell] === T.floor) draft.taken[cell] = 0
  for (const { cell } of [...draft.items, ...draft.monsters]) draft.taken[cell] = 1
}
