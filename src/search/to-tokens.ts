import { foldText } from './fold-text.ts'

/** One thing in a text that can be searched for, and where it stands. */
export interface Token {
  readonly term: string
  readonly start: number
  readonly end: number
  /** A word between spaces; one sign, or two neighbours, of a script that writes without them. */
  readonly is: 'word' | 'sign' | 'pair'
}

/**
 * Words, and runs of scripts whose words touch (Korean puts spaces, but glues its particles to the words). Such runs
 * are searched by pairs of neighbours: unlike a segmenter that guesses words from what surrounds them, pairs are the
 * same in a query and in a text, so what stands in a text is always found, whatever the version of a dictionary. Where a
 * word may be divided (U+00AD) it is one.
 */
const run =
  /(?<touching>(?:[[\p{L}\p{N}]&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]]\p{M}*)+)|(?:[[\p{L}\p{N}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]][\p{M}\u00ad]*)+/gv
const sign = /\P{M}\p{M}*/gu

/** What a text can be found by, in order. Queries are read with it too: `searchTerms`. */
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
