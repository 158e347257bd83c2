import { type Face, faces } from './fonts/faces.ts'

const ranges = new Map(
  faces.map((face) => [
    face,
    face.covers.split(',').map((range) => {
      const [first = '', last = first] = range.split('-')
      return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const
    }),
  ]),
)

const draws = (face: Face, codePoint: number) =>
  ranges.get(face)?.some(([first, last]) => codePoint >= first && codePoint <= last) ?? false

/** Variation selectors, joiners and directions: nothing that is drawn, and an empty box where a font lacks them. */
const invisible = /\p{Cf}|\p{Cc}|\p{Variation_Selector}/gu

/** A title as it is set: composed, on one line, without invisible characters. */
export const toSetText = (title: string): string =>
  title.normalize('NFC').replace(/\s/g, ' ').replace(invisible, '').replace(/ +/g, ' ').trim()

/**
 * The faces that a text needs, the first for every text, or nothing when a character is in none of them: a cover with
 * an empty box in its title is worse than one without a title.
 */
export function facesFor(text: string): readonly Face[] | undefined {
  const needed = new Set<Face>()
  for (const character of text) {
    const face = faces.find((candidate) => draws(candidate, character.codePointAt(0) ?? 0))
    if (!face) return undefined
    needed.add(face)
  }
  return faces.filter((face, place) => place === 0 || needed.has(face))
}
