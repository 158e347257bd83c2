/** Everything except letters and digits is ignored in comparisons: quotes, dashes and spaces differ on the page. */
const notCompared = /[^\p{L}\p{N}]+/gu

/** The letters and digits of a part of the page, each with its position. */
interface Letters {
  readonly text: string
  /** For each UTF-16 unit of `text`: its text node and offset. */
  readonly nodes: readonly Text[]
  readonly offsets: readonly number[]
}

/** A match further than this many letters after the last sentence is taken for a coincidence. */
const maxGap = 20_000

/** Lower case, unless that changes the number of UTF-16 units, because positions must stay valid. */
const toLower = (letter: string): string => {
  const lower = letter.toLowerCase()
  return lower.length === letter.length ? lower : letter
}

function readLetters(roots: readonly Element[]): Letters {
  const nodes: Text[] = []
  const offsets: number[] = []
  let text = ''
  for (const root of roots) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!(node instanceof Text)) continue
      let offset = 0
      for (const character of node.data) {
        if (character.replace(notCompared, '') !== '') {
          const kept = toLower(character)
          for (let unit = 0; unit < kept.length; unit++) {
            nodes.push(node)
            offsets.push(offset + unit)
          }
          text += kept
        }
        offset += character.length
      }
    }
  }
  return { text, nodes, offsets }
}

/** The position after the full stop, closing quote or bracket that belongs to a sentence. */
const endOfMarks = (text: string, from: number): number => {
  const marks = /^[\p{Po}\p{Pf}\p{Pe}"']+/u.exec(text.slice(from))
  return from + (marks?.[0].length ?? 0)
}

/**
 * The range of each sentence of a transcript on the page, in order; undefined for sentences that are only spoken, such
 * as those that replace a table or code.
 */
export function findSpokenRanges(sentences: readonly string[], roots: readonly Element[]): (Range | undefined)[] {
  const { text, nodes, offsets } = readLetters(roots)
  let from = 0
  return sentences.map((sentence) => {
    const letters = [...sentence.replace(notCompared, '')].map(toLower).join('')
    if (letters === '') return undefined
    const start = text.indexOf(letters, from)
    if (start < 0 || start - from > maxGap) return undefined
    const end = start + letters.length - 1
    const [first, last] = [nodes[start], nodes[end]]
    if (!first || !last) return undefined
    from = end + 1
    const range = document.createRange()
    range.setStart(first, offsets[start] ?? 0)
    range.setEnd(last, endOfMarks(last.data, (offsets[end] ?? 0) + 1))
    return range
  })
}
