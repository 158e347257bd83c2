import { countHits, type PackedHits, unpackHits } from './hits.ts'

/** Documents that have every term, in order of their rows; one document is at the same place everywhere. */
export interface Found {
  readonly size: number
  readonly rows: Uint32Array
  /** In tenths: per term 20 for the title, 10 for the excerpt, 3 for the body. */
  readonly scores: Uint32Array
  readonly highestScore: number
  /** BM25 as FTS5 counts it, of the document at a place. */
  readonly relevanceOf: (place: number) => number
}

const weights = { title: 2, excerpt: 1, body: 0.3 }
const [k1, b] = [1.2, 0.75]
/** Of a term that title, excerpt and body have, in tenths. */
const highestScore = 33

/** What BM25 takes off for the length of each document, from the number of its words. */
export function toLengthNorms(words: Uint32Array): Float64Array {
  const average = words.reduce((sum, length) => sum + length, 0) / Math.max(1, words.length)
  return Float64Array.from(words, (length) => k1 * (1 - b + (b * length) / average))
}

/**
 * Makes the function that finds the documents which are in every list and are wanted. It works in arrays that it keeps:
 * at hundreds of queries per second, fresh ones are so much memory that collecting it holds up the answers. So what it
 * found stands only until it is called again. Arrays of numbers, because a frequent word is in all documents.
 */
export function makeFindInAll(lengthNorms: Float64Array) {
  const documents = lengthNorms.length
  const [rows, scores] = [new Uint32Array(documents), new Uint32Array(documents)]
  const hits = new Uint32Array(documents * 2)
  /** Of each list, the counts of the documents that are found so far. */
  const counts: Uint32Array[] = []

  function begin(length: number, own: Uint32Array, isWanted: ((row: number) => boolean) | undefined): number {
    let size = 0
    for (let at = 0; at < length; at += 2) {
      const row = hits[at] ?? 0
      if (isWanted && !isWanted(row)) continue
      const packed = hits[at + 1] ?? 0
      rows[size] = row
      scores[size] = toScore(packed)
      own[size] = packed
      size += 1
    }
    return size
  }

  function keepCommon(size: number, length: number, own: Uint32Array, others: readonly Uint32Array[]): number {
    let kept = 0
    for (let at = 0, place = 0; place < size && at < length; place++) {
      const row = rows[place] ?? 0
      while (at < length && (hits[at] ?? 0) < row) at += 2
      if (at >= length || hits[at] !== row) continue
      const packed = hits[at + 1] ?? 0
      rows[kept] = row
      scores[kept] = (scores[place] ?? 0) + toScore(packed)
      own[kept] = packed
      for (const other of others) other[kept] = other[place] ?? 0
      kept += 1
    }
    return kept
  }

  return (lists: readonly PackedHits[], isWanted?: (row: number) => boolean): Found => {
    let size = 0
    const terms: { rarity: number; counts: Uint32Array }[] = []
    for (const list of lists.toSorted((one, other) => countHits(one) - countHits(other))) {
      const own = counts[terms.length] ?? new Uint32Array(documents)
      counts[terms.length] = own
      const length = unpackHits(list, hits)
      size =
        terms.length === 0 ? begin(length, own, isWanted) : keepCommon(size, length, own, counts.slice(0, terms.length))
      terms.push({ rarity: idf(length / 2, documents), counts: own })
    }
    const relevanceOf = (place: number): number => {
      const lengthNorm = lengthNorms[rows[place] ?? 0] ?? 0
      return terms.reduce((sum, term) => sum + term.rarity * toRelevance(term.counts[place] ?? 0, lengthNorm), 0)
    }
    return { size, rows, scores, highestScore: highestScore * terms.length, relevanceOf }
  }
}

const idf = (having: number, documents: number): number =>
  Math.max(Math.log((documents - having + 0.5) / (having + 0.5)), 1e-6)

/** The packed counts of `hits.ts`, read in place. */
const toScore = (counts: number): number =>
  (counts >>> 24 > 0 ? 20 : 0) + ((counts & 0xff0000) > 0 ? 10 : 0) + ((counts & 0xffff) > 0 ? 3 : 0)

function toRelevance(counts: number, lengthNorm: number): number {
  const often =
    (counts >>> 24) * weights.title + ((counts >>> 16) & 0xff) * weights.excerpt + (counts & 0xffff) * weights.body
  return (often * (k1 + 1)) / (often + lengthNorm)
}

/** The rows of the first few in the order of the results: score, then relevance, then newer. */
export function takeBest(found: Found, limit: number): number[] {
  const { size, rows, scores, relevanceOf } = found
  const least = findLeastScore(found, limit)
  const best: { row: number; score: number; relevance: number }[] = []
  for (let place = size - 1; place >= 0; place--) {
    const score = scores[place] ?? 0
    if (score < least) continue
    // Relevance is the dear part, and most documents are out by their score.
    const one = { row: rows[place] ?? 0, score, relevance: relevanceOf(place) }
    const last = best[limit - 1]
    if (last !== undefined && !isBetter(one, last)) continue
    let at = Math.min(best.length, limit - 1)
    for (let above = best[at - 1]; above !== undefined && isBetter(one, above); above = best[at - 1]) at -= 1
    best.splice(at, 0, one)
    best.length = Math.min(best.length, limit)
  }
  return best.map(({ row }) => row)
}

interface Rank {
  readonly score: number
  readonly relevance: number
}
const isBetter = (one: Rank, other: Rank): boolean =>
  one.score > other.score || (one.score === other.score && one.relevance > other.relevance)

/** The score below which no document is among the first few. */
function findLeastScore({ size, scores, highestScore }: Found, limit: number): number {
  const having = new Uint32Array(highestScore + 1)
  for (let place = 0; place < size; place++) {
    const score = scores[place] ?? 0
    having[score] = (having[score] ?? 0) + 1
  }
  let least = highestScore
  for (let above = having[least] ?? 0; above < limit && least > 0; above += having[least] ?? 0) least -= 1
  return least
}
