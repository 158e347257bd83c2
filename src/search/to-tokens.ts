import { foldText } from './fold-text.ts'

/** A searchable token and its position in the text. */
export interface Token {
  readonly term: string
  readonly start: number
  readonly end: number
  /**
   * `word`: a word between spaces; `sign` or `pair`: one character, or two adjacent ones, of a script without spaces.
   */
  readonly is: 'word' | 'sign' | 'pair'
}

/**
 * Matches words, and runs of scripts without spaces between words (Korean has spaces but attaches particles to words).
 * Such runs are indexed by pairs of adjacent characters. Unlike the output of a segmenter, pairs are the same in query
 * and text, so text is always found, whatever the version of a dictionary. Soft hyphens (U+00AD) do not divide words.
 */
const run =
  /(?<touching>(?:[[\p{L}\p{N}]&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]]\p{M}*)+)|(?:[[\p{L}\p{N}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]][\p{M}\u00ad]*)+/gv
const sign = /\P{M}\p{M}*/gu

/** The tokens of a text, in order. Queries are tokenized the same way: `searchTerms`. */
export function* toTokens(text: string): Generator<Token> {
  for (const { 0: found, index, groups } of text.matchAll(run)) {
    if (groups?.['touching'] === undefined) {
      const term = foldText(found)
      if (term !== '') yield { term, start: index, end: index + found.length, is: 'word' }
    } else yield* signsAndPairs(found, index)
  }
}

function* signsAndPairs(touching: string, offset: number): Generator<Token> {
  let before: { text: string; start: number } | undefined
  for (const { 0: text, index } of touching.matchAll(sign)) {
    const start = offset + index
    const end = start + text.length
    const pair = before && foldText(before.text + text)
    if (before && pair) yield { term: pair, start: before.start, end, is: 'pair' }
    const single = foldText(text)
    if (single !== '') yield { term: single, start, end, is: 'sign' }
    before = { text, start }
  }
}
