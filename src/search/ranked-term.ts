import { scores, toOften, toScore } from './field-weights.ts'
import type { OpenHits } from './packed-hits.ts'

/** A term with the score and weight of each kind of its hits. */
export interface RankedTerm {
  readonly hits: OpenHits
  readonly scores: Uint8Array
  readonly often: Float64Array
  readonly rarity: number
}

const [k1, b] = [1.2, 0.75]

/**
 * Computes the scores of a term.
 *
 * @param documents the total number of documents
 */
export function toRankedTerm(hits: OpenHits, documents: number): RankedTerm {
  const having = hits.documents
  return {
    hits,
    scores: Uint8Array.from(hits.counts, toScore),
    often: Float64Array.from(hits.counts, toOften),
    rarity: Math.max(Math.log((documents - having + 0.5) / (having + 0.5)), 1e-6),
  }
}

/** The BM25 length normalization of each document, from its number of words. */
export function toLengthNorms(words: Uint32Array): Float64Array {
  const average = words.reduce((sum, length) => sum + length, 0) / Math.max(1, words.length)
  return Float64Array.from(words, (length) => k1 * (1 - b + (b * length) / average))
}

/** The BM25 relevance of one term, as in SQLite's FTS5: lower for longer documents. */
export const toRelevance = ({ rarity, often }: RankedTerm, kind: number, lengthNorm: number): number => {
  const times = often[kind] ?? 0
  return rarity * ((times * (k1 + 1)) / (times + lengthNorm))
}

/** The smallest number of terms that a document with this score has in its title or excerpt. */
export const findLeastNamed = (score: number, terms: number): number =>
  Math.max(0, Math.ceil((score - scores.body * terms) / (scores.all - scores.body)))

/**
 * Makes the function that checks 32 documents at once: a bit is set for each that has at least `least` of the terms in
 * title or excerpt.
 */
export function makeIsNamed(terms: readonly RankedTerm[]): (word: number, least: number) => number {
  const having = new Int32Array(terms.length + 1)
  return (word, least) => {
    having.fill(0)
    having[0] = -1
    for (let number = 0; number < terms.length; number++) {
      const named = terms[number]?.hits.named[word] ?? 0
      for (let count = least; count > 0; count--)
        having[count] = (having[count] ?? 0) | ((having[count - 1] ?? 0) & named)
    }
    return having[least] ?? 0
  }
}
