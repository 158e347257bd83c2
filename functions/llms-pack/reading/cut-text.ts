import { guardSeparators } from '../../../src/content/bundle.ts'
import { codePoints } from '../../../src/offers/bounded-text.ts'

const mark = '[cut here: the page is longer]'
/** How much is given up to end at the end of a line. */
const slack = 200

/** The part of a text that has so many characters at most, counted as code points. */
function takeCharacters(text: string, most: number): string {
  let end = 0
  for (let count = 0; count < most && end < text.length; count++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return text.slice(0, end)
}

/** Cut at the end of a line or a word, when there is one nearby. */
function cutNeatly(text: string, most: number): string {
  const cut = takeCharacters(text, most)
  const from = Math.max(1, cut.length - slack)
  const line = cut.lastIndexOf('\n')
  if (line >= from) return cut.slice(0, line)
  const word = cut.lastIndexOf(' ')
  return word >= from ? cut.slice(0, word) : cut
}

/**
 * A text as the body of a section: no line of it is a separator, and it has `most` characters at most, the mark that
 * says where it was cut included.
 *
 * @param isCut whether something is missing already
 */
export function cutText(text: string, most: number, isCut = false): string {
  const body = guardSeparators(text.trim())
  if (!isCut && codePoints(body) <= most) return body
  const kept = cutNeatly(body, most - codePoints(mark) - 2).trimEnd()
  // What is left of a longer line may be a separator now; its guard has room.
  return guardSeparators(`${kept}\n${mark}`)
}
