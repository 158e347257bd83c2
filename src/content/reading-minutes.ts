import { wordCount } from './word-count.ts'

const wordsPerMinute = 230
/** Scripts without spaces between words are read by the sign. */
const signsPerMinute = 500
const sign = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu

/** How long a person reads a text; at least a minute. */
export function readingMinutes(text: string): number {
  const signs = text.match(sign)?.length ?? 0
  const words = wordCount(text.replace(sign, ' '))
  return Math.max(1, Math.round(words / wordsPerMinute + signs / signsPerMinute))
}
