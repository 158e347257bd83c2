/** Which of a picture's colours a shape is printed in. */
export type Ink = 'main' | 'second' | 'dark' | 'light'

/** A part of a motif, in a square of 100 units: filled, or drawn as a line of width `line`. */
export interface Shape {
  readonly ink: Ink
  readonly path: string
  readonly line?: number
}

/** The colours that suit a thing: bread is not blue. */
export type Tone = 'warm' | 'green' | 'cool' | 'red' | 'any'

/** A thing that stands for what a text is about; drawn by every style in its own way. */
export interface Motif {
  /** What it shows, with an article, as it stands in a sentence. */
  readonly alt: string
  readonly tone: Tone
  /** From back to front. */
  readonly shapes: readonly Shape[]
}

/** A motif from its parts. */
export const motif = (alt: string, tone: Tone, ...shapes: readonly Shape[]): Motif => ({ alt, tone, shapes })

/** A filled shape. */
export const fill = (ink: Ink, ...paths: readonly string[]): Shape => ({ ink, path: paths.join('') })

/** A line with round ends. */
export const line = (ink: Ink, width: number, ...paths: readonly string[]): Shape => ({
  ink,
  path: paths.join(''),
  line: width,
})

/** A circle. */
export const disc = (x: number, y: number, radius: number): string => oval(x, y, radius, radius)

/** An ellipse. */
export const oval = (x: number, y: number, across: number, down: number): string =>
  `M${x - across} ${y}a${across} ${down} 0 1 0 ${2 * across} 0a${across} ${down} 0 1 0 ${-2 * across} 0Z`

/** A rectangle, its corners rounded. */
export const box = (x: number, y: number, width: number, height: number, round = 0): string =>
  round === 0
    ? `M${x} ${y}h${width}v${height}h${-width}Z`
    : `M${x + round} ${y}h${width - 2 * round}a${round} ${round} 0 0 1 ${round} ${round}v${height - 2 * round}a${round} ${round} 0 0 1 ${-round} ${round}h${-(width - 2 * round)}a${round} ${round} 0 0 1 ${-round} ${-round}v${-(height - 2 * round)}a${round} ${round} 0 0 1 ${round} ${-round}Z`
