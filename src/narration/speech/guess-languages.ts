import { englishWords, functionWords } from './function-words.ts'

/** Languages of the scripts other than Latin, the most widely read first. */
const scripts: readonly (readonly [RegExp, readonly string[]])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, ['ja']],
  [/\p{Script=Han}/gu, ['zh', 'ja']],
  [/\p{Script=Hangul}/gu, ['ko']],
  [/\p{Script=Cyrillic}/gu, ['ru', 'uk', 'bg', 'sr', 'be', 'mk', 'kk', 'mn']],
  [/\p{Script=Arabic}/gu, ['ar', 'fa', 'ur']],
  [/\p{Script=Hebrew}/gu, ['he', 'yi']],
  [/\p{Script=Greek}/gu, ['el']],
  [/\p{Script=Thai}/gu, ['th']],
  [/\p{Script=Devanagari}/gu, ['hi', 'mr', 'ne']],
  [/\p{Script=Bengali}/gu, ['bn']],
  [/\p{Script=Tamil}/gu, ['ta']],
  [/\p{Script=Telugu}/gu, ['te']],
  [/\p{Script=Georgian}/gu, ['ka']],
  [/\p{Script=Armenian}/gu, ['hy']],
]

/** Latin letters, and single Greek letters, which English uses as names: π, Δ. */
const latin = /\p{Script=Latin}|(?<!\p{L})\p{Script=Greek}(?!\p{L})/gu
/** A text with a larger share of letters in other scripts is not written in Latin script. */
const maxForeignShare = 0.3

/** Fewer different function words may come from names, titles and foreign phrases in an English text. */
const minDifferentWords = 3
const minShare = 0.12
/** Factor by which foreign function words must outnumber English ones; short texts may be half a quotation. */
const lead = { short: 3, long: 2 } as const
const shortWords = 20
/** Languages with at least this share of the best score are named as well. */
const nearly = 0.75

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** The text without quotations, which may be in another language; the whole text when it is nothing but quotations. */
function withoutQuotations(text: string): string {
  const rest = text.replace(/"[^"\n]*"|“[^“”\n]*”|„[^„“\n]*“|«[^«»\n]*»/g, ' ')
  return /\p{L}/u.test(rest) ? rest : text
}

function guessByScript(text: string): readonly string[] {
  const counts = scripts.map(([letters, languages]) => ({ languages, found: count(text, letters) }))
  // Japanese text often has more Chinese characters than kana, so any kana decides for Japanese.
  const isJapanese = counts.some(({ languages, found }) => languages[0] === 'ja' && found > 0)
  const most = counts.toSorted((one, other) => other.found - one.found)[0]
  if (!most || most.found === 0) return []
  return isJapanese && most.languages.includes('ja') ? ['ja'] : most.languages
}

function guessByWords(text: string): readonly string[] {
  const words = (
    withoutQuotations(text)
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{M}]+(?:'[\p{L}\p{M}]+)*/gu) ?? []
  ).map((word) => word.normalize('NFC'))
  const english = words.filter((word) => englishWords.has(word)).length
  const least = Math.max(words.length * minShare, english * (words.length < shortWords ? lead.short : lead.long))
  const scores = Object.entries(functionWords).flatMap(([language, known]) => {
    const found = words.filter((word) => known.has(word))
    return new Set(found).size >= minDifferentWords && found.length >= least ? [{ language, found: found.length }] : []
  })
  const best = Math.max(0, ...scores.map(({ found }) => found))
  return scores
    .toSorted((one, other) => other.found - one.found)
    .filter(({ found }) => found >= best * nearly)
    .map(({ language }) => language)
}

/** The likely language of a text. */
interface Guess {
  /** BCP 47, the most likely first; empty when the text may be English or cannot be told. */
  readonly languages: readonly string[]
  readonly isLatin: boolean
}

/**
 * Guesses the language of a text by its script and its function words. Text that could be English is never taken for
 * another language: names, titles, quotations, loan words and very short texts stay unknown.
 *
 * @example guessLanguages('Das ist ein Satz, und er ist nicht lang.') // { languages: ['de'], isLatin: true }
 */
export function guessLanguages(text: string): Guess {
  const letters = count(text, /\p{L}/gu)
  const isLatin = letters - count(text, latin) <= letters * maxForeignShare
  return { isLatin, languages: isLatin ? guessByWords(text) : guessByScript(text) }
}
