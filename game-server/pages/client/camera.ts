import { height, width } from '../../core/grid.ts'

/** The size and position of cells on a canvas, in device pixels. */
export interface Camera {
  readonly cellWidth: number
  readonly cellHeight: number
  /** The position of the level's top left corner. */
  readonly left: number
  readonly top: number
}

/** The widths of a cell for each zoom step, in CSS pixels. */
export const cellWidths = [8, 10, 12, 14, 16, 19, 23, 28, 34] as const

/** The default zoom step for a width: about 31 columns on a phone, 54 on a desktop. */
export function defaultZoom(pageWidth: number): number {
  const wanted = pageWidth < 700 ? pageWidth / 31 : pageWidth / 54
  const first = cellWidths.findIndex((cell) => cell >= Math.floor(wanted))
  return first < 0 ? cellWidths.length - 1 : first
}

/** Centres a cell, but shows as little as possible of the empty space around the level. */
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

/** A position in the level, in cells; fractional while something moves. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** The position of a cell. */
export const toPoint = (cell: number): Point => ({ x: cell % width, y: Math.floor(cell / width) })

function slide(shown: number, whole: number, at: number): number {
  if (whole <= shown) return (shown - whole) / 2
  return Math.min(0, Math.max(shown - whole, shown / 2 - at))
}
