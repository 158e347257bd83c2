import type { SeededRandom } from '../seeded-random.ts'
import type { Inks } from './palettes.ts'

/** Where a composition goes: the whole picture, or the part that the title leaves. */
export interface Region {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** Whether it spans the width of the picture: the title is below it or absent, not beside it. */
  readonly spansWidth: boolean
}

/** Everything a composition draws with. */
export interface Drawing {
  readonly random: SeededRandom
  readonly inks: Inks
  readonly region: Region
}

/** Draws a motif as SVG. */
export type Composition = (drawing: Drawing) => string

/** A number for SVG with one decimal, which keeps the SVG small. */
export const n = (length: number): string => length.toFixed(1)

/** A filled circle. */
export const circle = (x: number, y: number, radius: number, fill: string): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${fill}"/>`

/** A filled rectangle. */
export const rectangle = (x: number, y: number, width: number, height: number, fill: string): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="${fill}"/>`
