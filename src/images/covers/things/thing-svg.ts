import type { Ink, Motif, Shape } from '../../motifs/shape.ts'

/** Where a thing is put: the middle of its square, and its side. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly size: number
}

const n = (length: number): string => length.toFixed(2)

/** A motif as SVG; `colourOf` gets the ink of a part and its index from the back. */
export function toSvg({ shapes }: Motif, { x, y, size }: Place, colourOf: (ink: Ink, part: number) => string): string {
  const unit = size / 100
  const parts = shapes.map((shape, part) => toPath(shape, colourOf(shape.ink, part)))
  return `<g transform="translate(${n(x - size / 2)} ${n(y - size / 2)}) scale(${n(unit)})">${parts.join('')}</g>`
}

const toPath = ({ path, line }: Shape, colour: string): string =>
  line === undefined
    ? `<path d="${path}" fill="${colour}" fill-rule="evenodd"/>`
    : `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${line}" stroke-linecap="round" stroke-linejoin="round"/>`
