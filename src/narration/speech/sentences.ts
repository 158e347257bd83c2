import { groupSpace } from './spoken-numbers.ts'

/** A stretch of prose that is spoken in one go. */
export type Sentence = {
  readonly text: string
  /** The sentence goes on in the next stretch; it was too long for one. */
  readonly isPart: boolean
}

/** The engine takes more than linear time on long input, and listeners lose long sentences too. */
const maxSentenceCharacters = 400

const endsInAbbreviation =
  /(?:^|[\s("'“‘])(?:Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|Mt|Gen|Col|Sgt|Lt|Capt|Rev|Hon|vs|etc|e\.g|i\.e|cf|al|approx|dept|est|Inc|Ltd|Co|Corp|Nos|Vol|Figs?|Eq|pp?|eds?|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|U\.S|U\.K|E\.U|[A-HJ-Z])\.["'”’)]?\s*$/
const endsInNumberSign = /(?:^|\s)(?:No|p)\.\s*$/
const beginsLow = /^[\s"'“‘(]*\p{Ll}/u
const hasWords = /[\p{L}\p{N}]/u
/** Where a sentence that is too long may be divided, best first. */
const dividers = ['; ', ': ', ' — ', ' – ', ', ', ' ']

/** What is set as one space, but for a space that is a part of a number. */
const space = new RegExp(`(${groupSpace.source})|\\s+`, 'g')

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Whether a piece that the segmenter begins anew belongs to what came before. */
const goesOn = (before: string, piece: string): boolean =>
  endsInAbbreviation.test(before.slice(-24)) ||
  beginsLow.test(piece) ||
  !hasWords.test(piece) ||
  (endsInNumberSign.test(before.slice(-24)) && /^\d/.test(piece))

/** The last good place to cut before the limit; never inside a character. */
function cutPlace(text: string, limit: number): number {
  const head = text.slice(0, limit)
  for (const divider of dividers) {
    const place = head.lastIndexOf(divider)
    if (place > limit * 0.4) return place + divider.length
  }
  return /[\udc00-\udfff]/.test(text.charAt(limit)) ? limit - 1 : limit
}

function divide(text: string, limit: number): Sentence[] {
  const parts: Sentence[] = []
  let rest = text
  while (rest.length > limit) {
    const place = cutPlace(rest, limit)
    parts.push({ text: rest.slice(0, place).trim(), isPart: true })
    rest = rest.slice(place)
  }
  return [...parts, { text: rest.trim(), isPart: false }].filter((part) => part.text !== '')
}

/**
 * The sentences of one paragraph, none longer than the limit. Abbreviations, initials and quotes that the Unicode rules
 * take for ends are repaired.
 *
 * @example toSentences('Dr. Marsh waits. It is cold.').length // 2
 */
export function toSentences(paragraph: string, limit = maxSentenceCharacters): Sentence[] {
  const whole: string[] = []
  for (const { segment } of segmenter.segment(paragraph.replace(space, (_, kept?: string) => kept ?? ' '))) {
    const before = whole.at(-1)
    if (before !== undefined && goesOn(before, segment)) whole[whole.length - 1] = before + segment
    else whole.push(segment)
  }
  return whole.flatMap((text) => divide(text.trim(), limit))
}
