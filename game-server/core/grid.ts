export const width = 80
export const height = 40
export const cellCount = width * height

/** The eight directions, orthogonal ones first; `offsets` has the same order. */
export const directions: readonly string[] = [
  'north',
  'east',
  'south',
  'west',
  'northeast',
  'southeast',
  'southwest',
  'northwest',
]

/** What to add to a cell for a step in each direction. The rim of a level is solid, so a step never wraps around. */
export const offsets: readonly number[] = [-width, 1, width, -1, 1 - width, 1 + width, width - 1, -width - 1]

/** What to add to a cell for a step in this direction. */
export const offsetOf = (direction: number): number => offsets[direction] ?? 0

export const xOf = (cell: number): number => cell % width
export const yOf = (cell: number): number => Math.floor(cell / width)

/** Steps from one cell to another over open ground; a diagonal step counts as one. */
export function distance(a: number, b: number): number {
  const dx = Math.abs((a % width) - (b % width))
  const dy = Math.abs(Math.floor(a / width) - Math.floor(b / width))
  return Math.max(dx, dy)
}

/** The direction from one cell to another, by the signs of the differences; -1 for the same cell. */
export function directionTo(from: number, to: number): number {
  const dx = Math.sign((to % width) - (from % width))
  const dy = Math.sign(Math.floor(to / width) - Math.floor(from / width))
  return offsets.findIndex((offset) => offset === dx + dy * width)
}

/** The compass direction from one cell to another: "NE", "W", or "here". */
export function compass(from: number, to: number): string {
  const dx = (to % width) - (from % width)
  const dy = Math.floor(to / width) - Math.floor(from / width)
  const across = Math.abs(dx)
  const along = Math.abs(dy)
  const northSouth = along * 2 > across ? (dy < 0 ? 'N' : 'S') : ''
  const westEast = across * 2 > along ? (dx < 0 ? 'W' : 'E') : ''
  return dx === 0 && dy === 0 ? 'here' : northSouth + westEast
}
