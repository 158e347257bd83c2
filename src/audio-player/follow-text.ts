import { findSpokenRanges } from './spoken-ranges.ts'
import { type Sentence, sentenceAt } from './transcript.ts'

/** The text of the page, kept in step with what is heard. */
export interface FollowedText {
  /** Marks the sentence of this time; `show` also brings it into view. */
  mark(seconds: number, show?: boolean): void
  /** When the sentence at a place of the page begins; undefined where nothing is spoken. */
  timeAt(x: number, y: number): number | undefined
}

const canMark = typeof Highlight === 'function' && 'highlights' in CSS

/** Makes the text of a post follow its narration. Browsers that cannot mark text still seek by it. */
export function followText(sentences: readonly Sentence[], roots: readonly Element[]): FollowedText {
  const ranges = findSpokenRanges(
    sentences.map(({ body }) => body),
    roots,
  )
  let marked = -1
  return {
    mark(seconds, show = false) {
      const place = sentenceAt(sentences, seconds)
      if (place === marked && !show) return
      marked = place
      const range = ranges[place]
      if (canMark) {
        if (range) CSS.highlights.set('spoken', new Highlight(range))
        else CSS.highlights.delete('spoken')
      }
      if (show && range) range.startContainer.parentElement?.scrollIntoView({ block: 'center' })
    },
    timeAt(x, y) {
      const place = ranges.findIndex(
        (range) =>
          range &&
          [...range.getClientRects()].some(
            ({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom,
          ),
      )
      return sentences[place]?.startTime
    },
  }
}
