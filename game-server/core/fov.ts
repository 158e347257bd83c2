import { height, width } from './grid.ts'
import { isOpaque } from './tiles.ts'

/** How far a player sees, in cells. */
export const sightRadius = 9

// A stack of rows still to be scanned, five numbers each; a scan never has more than a few hundred rows.
const pending = new Int32Array(4096)

/**
 * Symmetric shadowcasting with slopes as fractions: if A sees B, B sees A. Marks lit cells in `out`, lists them in
 * `list` and returns their number. `out` must be all 0; the caller resets it by going through the list.
 */
export function fov(tiles: Uint8Array, cell: number, radius: number, out: Uint8Array, list: Int16Array): number {
  const px = cell % width
  const py = Math.floor(cell / width)
  const reach = radius * radius + radius
  let count = 0
  out[cell] = 1
  list[count++] = cell
  for (let quadrant = 0; quadrant < 4; quadrant++) {
    let top = push(0, 1, -1, 1, 1, 1)
    while (top > 0) {
      top -= 5
      const depth = pending[top] ?? 0
      let startRise = pending[top + 1] ?? 0
      let startRun = pending[top + 2] ?? 1
      const endRise = pending[top + 3] ?? 0
      const endRun = pending[top + 4] ?? 1
      if (depth > radius) continue
      const first = Math.floor((2 * depth * startRise + startRun) / (2 * startRun))
      const last = Math.ceil((2 * depth * endRise - endRun) / (2 * endRun))
      let before = -1
      for (let column = first; column <= last; column++) {
        const x = quadrant === 0 || quadrant === 2 ? px + column : quadrant === 1 ? px + depth : px - depth
        const y = quadrant === 1 || quadrant === 3 ? py + column : quadrant === 2 ? py + depth : py - depth
        const isInside = x >= 0 && y >= 0 && x < width && y < height
        const at = y * width + x
        const blocks = !isInside || isOpaque(tiles[at])
        const isCentred = column * startRun >= depth * startRise && column * endRun <= depth * endRise
        if (isInside && (blocks || isCentred) && column * column + depth * depth <= reach && out[at] === 0) {
          out[at] = 1
          list[count++] = at
        }
        if (before === 1 && !blocks) {
          startRise = 2 * column - 1
          startRun = 2 * depth
        }
        if (before === 0 && blocks) top = push(top, depth + 1, startRise, startRun, 2 * column - 1, 2 * depth)
        before = blocks ? 1 : 0
      }
      if (before === 0) top = push(top, depth + 1, startRise, startRun, endRise, endRun)
    }
  }
  return count
}

function push(top: number, depth: number, rise: number, run: number, endRise: number, endRun: number): number {
  pending[top] = depth
  pending[top + 1] = rise
  pending[top + 2] = run
  pending[top + 3] = endRise
  pending[top + 4] = endRun
  return top + 5
}
