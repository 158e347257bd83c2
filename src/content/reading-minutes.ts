import { wordCount } from './word-count.ts'

const wordsPerMinute = 230
/** For scripts without spaces between words, characters are counted. */
const signsPerMinute = 500
const sign = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu

/** How long reading a text takes, in whole minutes; at least one. */
export function readingMinutes(text: string): number {
  const signs = text.match(sign)?.length ?? 0
  const words = wordCount(text.replace(sign, ' '))
  return Math.max(1, Math.round(words / wordsPerMinute + signs / signsPerMinute))
}
