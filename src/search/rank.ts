import type { Hits } from './hits.ts'

/** Documents that have every term, in order of their rows; one document is at the same place of all three. */
export interface Found {
  readonly size: number
  readonly rows: Uint32Array
  /** In tenths: per term 20 for the title, 10 for the excerpt, 3 for the body. */
  readonly scores: Uint32Array
  /** BM25 as FTS5 counts it. */
  readonly relevance: Float64Array
}

const weights = { title: 2, excerpt: 1, body: 0.3 }
const [k1, b] = [1.2, 0.75]

/** What BM25 takes off for the length of each document, from the number of its words. */
export function toLengthNorms(words: Uint32Array): Float64Array {
  const average = words.reduce((sum, length) => sum + length, 0) / Math.max(1, words.length)
  return Float64Array.from(words, (length) => k1 * (1 - b + (b * length) / average))
}

/**
 * Makes the function that finds the documents which are in every list. It works in arrays that it keeps: at hundreds
 * of queries per second, fresh ones are so much memory that collecting it holds up the answers. So what it found
 * stands only until it is called again. Arrays of numbers, because a frequent word is in all documents.
 */
export function makeFindInAll(lengthNorms: Float64Array): (lists: readonly Hits[]) => Found {
  const documents = lengthNorms.length
  const [rows, scores] = [new Uint32Array(documents), new Uint32Array(documents)]
  const relevance = new Float64Array(documents)
  return (lists) => {
    const [rarest = new Uint32Array(), ...others] = lists.toSorted((one, other) => one.length - other.length)
    let size = rarest.length / 2
    for (let place = 0; place < size; place++) rows[place] = rarest[place * 2] ?? 0
    scores.fill(0, 0, size)
    relevance.fill(0, 0, size)
    for (const list of [rarest, ...others]) {
      const rarity = idf(list.length / 2, documents)
      let kept = 0
      for (let at = 0, place = 0; place < size && at < list.length; place++) {
        const row = rows[place] ?? 0
        while (at < list.length && (list[at] ?? 0) < row) at += 2
        if (list[at] !== row) continue
        const counts = list[at + 1] ?? 0
        rows[kept] = row
        scores[kept] = (scores[place] ?? 0) + toScore(counts)
        relevance[kept] = (relevance[place] ?? 0) + rarity * toRelevance(counts, lengthNorms[row] ?? 0)
        kept += 1
      }
      size = kept
    }
    return { size, rows, scores, relevance }
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
export function takeBest({ size, rows, scores, relevance }: Found, limit: number): number[] {
  const isBetter = (one: number, other: number): boolean => {
    const more = (scores[one] ?? 0) - (scores[other] ?? 0)
    return more > 0 || (more === 0 && (relevance[one] ?? 0) > (relevance[other] ?? 0))
  }
  const best: number[] = []
  for (let one = size - 1; one >= 0; one--) {
    const last = best[limit - 1]
    if (last !== undefined && !isBetter(one, last)) continue
    let place = Math.min(best.length, limit - 1)
    for (let above = best[place - 1]; above !== undefined && isBetter(one, above); above = best[place - 1]) place -= 1
    best.splice(place, 0, one)
    best.length = Math.min(best.length, limit)
  }
  return best.map((place) => rows[place] ?? 0)
}

/** Only those of one kind, in the arrays of what was found. */
export function keepRows({ size, rows, scores, relevance }: Found, isWanted: (row: number) => boolean): Found {
  let kept = 0
  for (let place = 0; place < size; place++) {
    const row = rows[place] ?? 0
    if (!isWanted(row)) continue
    rows[kept] = row
    scores[kept] = scores[place] ?? 0
    relevance[kept] = relevance[place] ?? 0
    kept += 1
  }
  return { size: kept, rows, scores, relevance }
}
