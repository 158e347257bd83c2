import { type Token, toTokens } from './to-tokens.ts'

/** What a text must contain to match a query: all of `exact`, and a word that begins with `prefix`. */
export interface SearchTerms {
  readonly exact: readonly string[]
  readonly prefix: string | undefined
  /** Alternatives for each term, from `openVocabulary`. */
  readonly others?: ReadonlyMap<string, readonly string[]>
}

const maxTerms = 12

/** The terms of a query, each once, at most 12. The last word may be unfinished. */
export function searchTerms(query: string): SearchTerms {
  const tokens = [...toTokens(query)]
  const terms = new Map<string, Token['is']>()
  for (const [place, token] of tokens.entries()) {
    if (terms.size === maxTerms) break
    if (token.is !== 'sign' || standsAlone(tokens, place)) {
      // A repeated term moves to its last position.
      terms.delete(token.term)
      terms.set(token.term, token.is)
    }
  }
  const last = [...terms].at(-1)
  const prefix = last?.[1] === 'word' ? last[0] : undefined
  return { exact: [...terms.keys()].filter((term) => term !== prefix), prefix }
}

/** Whether a sign is in no pair. In a longer run the pairs are more specific than the single signs. */
const standsAlone = (tokens: readonly Token[], place: number): boolean => {
  const { start, end } = tokens[place] ?? { start: 0, end: 0 }
  return ![tokens[place - 1], tokens[place + 1]].some(
    (near) => near?.is === 'pair' && near.start <= start && near.end >= end,
  )
}
