/** A run of text and where the page draws it; the origin is the bottom left corner. */
export interface PdfPiece {
  readonly text: string
  /** Height of the baseline above the bottom of the page. */
  readonly y: number
  readonly height: number
  readonly endsLine: boolean
}

interface Line {
  text: string
  y: number
  height: number
}

/** Lines that are further apart than this factor of their height belong to two paragraphs. */
const paragraphGap = 1.7

function toLines(pieces: readonly PdfPiece[]): Line[] {
  const lines: Line[] = []
  let isOpen = false
  for (const { text, y, height, endsLine } of pieces) {
    const last = lines.at(-1)
    if (isOpen && last) {
      last.text += text
      last.height = Math.max(last.height, height)
    } else if (text !== '') lines.push({ text, y, height })
    isOpen = !endsLine && (isOpen || text !== '')
  }
  return lines.filter(({ text }) => text.trim() !== '')
}

/**
 * The text of a page. Lines keep the order in which the PDF draws them, which follows the columns; an empty line marks
 * the end of a paragraph or column; words that are hyphenated at the end of a line are joined. Most lines of some pages
 * are drawn from bottom to top: those are sorted from top to bottom.
 */
export function toPageText(pieces: readonly PdfPiece[]): string {
  const drawn = toLines(pieces)
  const rising = drawn.filter((line, at) => line.y > (drawn[at - 1]?.y ?? Infinity)).length
  const lines = rising > drawn.length / 2 ? drawn.toSorted((one, other) => other.y - one.y) : drawn
  const parts = lines.map(({ text, y, height }, at) => {
    const above = lines[at - 1]
    if (!above) return text.trimEnd()
    const fall = above.y - y
    const isNext = fall >= 0 && fall <= paragraphGap * Math.max(height, above.height)
    return `${isNext ? '\n' : '\n\n'}${text.trimEnd()}`
  })
  return parts.join('').replace(/(\p{Ll})[-\u00ad]\n(\p{Ll}\S{0,60}) ?/gu, '$1$2\n')
}
