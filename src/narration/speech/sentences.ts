import { groupSpace } from './spoken-numbers.ts'

/** A sentence, or a part of a long one, that is spoken in one call. */
export type Sentence = {
  readonly text: string
  /** Whether the sentence was too long and continues in the next element. */
  readonly isPart: boolean
}

/**
 * Most characters of a part. The engine takes more than linear time for long input, and listeners lose long sentences.
 */
const maxSentenceCharacters = 400

const endsInAbbreviation =
  /(?:^|[\s("'“‘])(?:Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|Mt|Gen|Col|Sgt|Lt|Capt|Rev|Hon|vs|etc|e\.g|i\.e|cf|al|approx|dept|est|Inc|Ltd|Co|Corp|Nos|Vol|Figs?|Eq|pp?|eds?|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|U\.S|U\.K|E\.U|[A-HJ-Z])\.["'”’)]?\s*$/
const endsInNumberSign = /(?:^|\s)(?:No|p)\.\s*$/
const beginsLow = /^[\s"'“‘(]*\p{Ll}/u
const hasWords = /[\p{L}\p{N}]/u
/** Where a sentence that is too long may be divided, best first. */
const dividers = ['; ', ': ', ' — ', ' – ', ', ', ' ']

/** White space, which becomes one space; a space inside a number is kept. */
const space = new RegExp(`(${groupSpace.source})|\\s+`, 'g')

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Whether a segment of the segmenter belongs to the sentence before. */
const goesOn = (before: string, piece: string): boolean =>
  endsInAbbreviation.test(before.slice(-24)) ||
  beginsLow.test(piece) ||
  !hasWords.test(piece) ||
  (endsInNumberSign.test(before.slice(-24)) && /^\d/.test(piece))

/** The last good place to cut before the limit; never inside a surrogate pair. */
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
 * The sentences of one paragraph, none longer than `limit` characters. Abbreviations, initials and quotations at which
 * the Unicode rules wrongly end a sentence are joined again.
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
