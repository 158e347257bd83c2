import { height, width } from '../../core/grid.ts'

/** Where cells are on a canvas, in device pixels. */
export interface Camera {
  readonly cellWidth: number
  readonly cellHeight: number
  /** Of the dungeon's corner. */
  readonly left: number
  readonly top: number
}

/** The zoom steps, in pixels of the page. */
export const cellWidths = [8, 10, 12, 14, 16, 19, 23, 28, 34] as const

/** What shows enough of the dungeon at a width: 31 columns on a telephone, some 54 on a desk. */
export function defaultZoom(pageWidth: number): number {
  const wanted = pageWidth < 700 ? pageWidth / 31 : pageWidth / 54
  const first = cellWidths.findIndex((cell) => cell >= Math.floor(wanted))
  return first < 0 ? cellWidths.length - 1 : first
}

/** Keeps a cell in the middle, but shows no more of the nothing around the dungeon than must be. */
export function aim(canvas: { width: number; height: number }, at: Point, zoom: number, pixelRatio: number): Camera {
  const cellWidth = Math.round((cellWidths[zoom] ?? 16) * pixelRatio)
  const cellHeight = Math.round(cellWidth * 1.6)
  return {
    cellWidth,
    cellHeight,
    left: Math.round(slide(canvas.width, cellWidth * width, (at.x + 0.5) * cellWidth)),
    top: Math.round(slide(canvas.height, cellHeight * height, (at.y + 0.5) * cellHeight)),
  }
}

/** A place in the dungeon; between cells while something moves. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** The place of a cell. */
export const toPoint = (cell: number): Point => ({ x: cell % width, y: Math.floor(cell / width) })

function slide(shown: number, whole: number, at: number): number {
  if (whole <= shown) return (shown - whole) / 2
  return Math.min(0, Math.max(shown - whole, shown / 2 - at))
}
