import { unpackCounts } from './hits.ts'
import type { OpenHits } from './packed-hits.ts'

/** A term with what each kind of its hits counts for. */
export interface RankedTerm {
  readonly hits: OpenHits
  /** In tenths: 20 for the title, 10 for the excerpt, 3 for the body. */
  readonly scores: Uint8Array
  /** How often documents have it, by the weights of the fields. */
  readonly often: Float64Array
  readonly rarity: number
}

/** Of a term that title, excerpt and body have, in tenths. */
export const highestScore = 33
const weights = { title: 2, excerpt: 1, body: 0.3 }
const [k1, b] = [1.2, 0.75]

/** @param documents how many there are in all */
export function toRankedTerm(hits: OpenHits, documents: number): RankedTerm {
  const scores = new Uint8Array(hits.counts.length)
  const often = new Float64Array(hits.counts.length)
  for (const [kind, packed] of hits.counts.entries()) {
    const { title, excerpt, body } = unpackCounts(packed)
    scores[kind] = (title > 0 ? 20 : 0) + (excerpt > 0 ? 10 : 0) + (body > 0 ? 3 : 0)
    often[kind] = title * weights.title + excerpt * weights.excerpt + body * weights.body
  }
  const having = hits.documents
  return { hits, scores, often, rarity: Math.max(Math.log((documents - having + 0.5) / (having + 0.5)), 1e-6) }
}

/** What BM25 takes off for the length of each document, from the number of its words. */
export function toLengthNorms(words: Uint32Array): Float64Array {
  const average = words.reduce((sum, length) => sum + length, 0) / Math.max(1, words.length)
  return Float64Array.from(words, (length) => k1 * (1 - b + (b * length) / average))
}

/** BM25 as FTS5 counts it, of one term: the longer the document, the less. */
export const toRelevance = ({ rarity, often }: RankedTerm, kind: number, lengthNorm: number): number => {
  const times = often[kind] ?? 0
  return rarity * ((times * (k1 + 1)) / (times + lengthNorm))
}
