import { guardSeparators } from '../../../src/content/bundle.ts'
import { codePoints } from '../../../src/offers/bounded-text.ts'

const mark = '[cut here: the page is longer]'
/** Characters that a cut may give up to fall on the end of a line or word. */
const slack = 200

/** The beginning of a text, at most `most` code points. */
function takeCharacters(text: string, most: number): string {
  let end = 0
  for (let count = 0; count < most && end < text.length; count++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return text.slice(0, end)
}

/** Like takeCharacters, but ends at the end of a line or word if there is one within `slack`. */
function cutNeatly(text: string, most: number): string {
  const cut = takeCharacters(text, most)
  const from = Math.max(1, cut.length - slack)
  const line = cut.lastIndexOf('\n')
  if (line >= from) return cut.slice(0, line)
  const word = cut.lastIndexOf(' ')
  return word >= from ? cut.slice(0, word) : cut
}

/**
 * A text as the body of a section: no line of it is a separator, and it has at most `most` code points, including the
 * mark that says where it was cut.
 *
 * @param isCut whether the end of the text is missing already
 */
export function cutText(text: string, most: number, isCut = false): string {
  const body = guardSeparators(text.trim())
  if (!isCut && codePoints(body) <= most) return body
  const kept = cutNeatly(body, most - codePoints(mark) - 2).trimEnd()
  // The rest of a longer line may now look like a separator. One character was reserved for its guard.
  return guardSeparators(`${kept}\n${mark}`)
}
