import { findSpokenRanges } from './spoken-ranges.ts'
import { type Sentence, sentenceAt } from './transcript.ts'

/**
 * Whether the marked sentence is brought into view. `follow` does so when the one before it was in view: whoever has
 * scrolled away is left where they read. `stay` is for who has just pointed at it.
 */
type View = 'follow' | 'show' | 'stay'

/** The text of the page, kept in step with what is heard. */
export interface FollowedText {
  /** Marks the sentence of this time. */
  mark(seconds: number, view?: View): void
  /** When the sentence at a place of the page begins; undefined where nothing is spoken. */
  timeAt(x: number, y: number): number | undefined
}

const canMark = typeof Highlight === 'function' && 'highlights' in CSS

/** Parts of the window's height that the sentence stays between: the bar lies over the lowest. */
const [highest, lowest] = [0.08, 0.85] as const
/** Where in the window a sentence is brought to, as a part of its height. */
const readAt = 0.3

function isInWindow(range: Range): boolean {
  const { top, bottom } = range.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}

function bringIntoView(range: Range): void {
  const { top, bottom } = range.getBoundingClientRect()
  if (top >= innerHeight * highest && bottom <= innerHeight * lowest) return
  scrollTo({ top: scrollY + top - innerHeight * readAt })
}

/** The letter nearest to a place of the window. */
function letterAt(x: number, y: number): { node: Node; offset: number } | undefined {
  if (typeof document.caretPositionFromPoint === 'function') {
    const position = document.caretPositionFromPoint(x, y)
    return position ? { node: position.offsetNode, offset: position.offset } : undefined
  }
  const range = document.caretRangeFromPoint(x, y)
  return range ? { node: range.startContainer, offset: range.startOffset } : undefined
}

const blockOf = (node: Node): Element | null | undefined =>
  node.parentElement?.closest('p, li, h1, h2, h3, blockquote, td')

/** Makes the text of a post follow its narration. Browsers that cannot mark text still seek by it. */
export function followText(sentences: readonly Sentence[], roots: readonly Element[]): FollowedText {
  const ranges = findSpokenRanges(
    sentences.map(({ body }) => body),
    roots,
  )
  let marked = -1
  let last: Range | undefined
  return {
    mark(seconds, view = 'follow') {
      const place = sentenceAt(sentences, seconds)
      if (place === marked && view !== 'show') return
      marked = place
      const range = ranges[place]
      if (canMark) {
        if (range) CSS.highlights.set('spoken', new Highlight(range))
        else CSS.highlights.delete('spoken')
      }
      if (!range) return
      if (view === 'show' || (view === 'follow' && (!last || isInWindow(last)))) bringIntoView(range)
      last = range
    },
    timeAt(x, y) {
      const letter = letterAt(x, y)
      if (!letter) return undefined
      const { node, offset } = letter
      const place = ranges.findLastIndex((range) => range && range.comparePoint(node, offset) >= 0)
      const range = ranges[place]
      // Between two sentences it is the one before; beyond its paragraph nothing is spoken.
      const isIn = range && (range.isPointInRange(node, offset) || blockOf(range.endContainer) === blockOf(node))
      return isIn ? sentences[place]?.startTime : undefined
    },
  }
}
