import { type Counts, packCounts } from './hits.ts'
import type { SearchDocument } from './search-document.ts'
import { toTokens } from './to-tokens.ts'

export interface TermCounts {
  /** The counts, packed as in `Hits`. */
  readonly packed: number
  /** How many times the term occurs in the document. */
  readonly times: number
  readonly isWord: boolean
}

/** The terms of a document with their counts. */
export function countTerms(document: SearchDocument): Map<string, TermCounts> {
  const terms = new Map<string, { -readonly [field in keyof Counts]: number } & { isWord: boolean }>()
  for (const field of ['title', 'excerpt', 'body'] as const)
    for (const { term, is } of toTokens(document[field])) {
      const counts = terms.get(term) ?? { title: 0, excerpt: 0, body: 0, isWord: false }
      counts[field] += 1
      counts.isWord ||= is === 'word'
      terms.set(term, counts)
    }
  return new Map(
    [...terms].map(([term, { isWord, ...counts }]) => [
      term,
      { packed: packCounts(counts), times: counts.title + counts.excerpt + counts.body, isWord },
    ]),
  )
}
