import { findSpokenRanges } from './spoken-ranges.ts'
import { type Sentence, sentenceAt } from './transcript.ts'

/**
 * Whether the marked sentence is scrolled into view. `follow`: only if the sentence before it was in view, so that
 * readers who scrolled away are not disturbed. `show`: always. `stay`: never, because the reader has just clicked it.
 */
type View = 'follow' | 'show' | 'stay'

/** The text of the page, synchronized with the audio. */
export interface FollowedText {
  /** Marks the sentence that is spoken at this time. */
  mark(seconds: number, view?: View): void
  /** The start time of the sentence at a point of the viewport; undefined where nothing is spoken. */
  timeAt(x: number, y: number): number | undefined
}

const canMark = typeof Highlight === 'function' && 'highlights' in CSS

/** The sentence is kept between these shares of the window's height; the player covers the lowest part. */
const [highest, lowest] = [0.08, 0.85] as const
/** Where a sentence is scrolled to, as a share of the window's height. */
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

/** The text position nearest to a point of the viewport. */
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

/** Highlights the spoken sentence in the text of a post. Without the Highlight API, clicking the text still seeks. */
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
      // Between two sentences the first one counts; outside of its paragraph nothing is spoken.
      const isIn = range && (range.isPointInRange(node, offset) || blockOf(range.endContainer) === blockOf(node))
      return isIn ? sentences[place]?.startTime : undefined
    },
  }
}
