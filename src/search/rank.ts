import { countBits, highestBit } from './bits.ts'
import { type FirstFew, makeFirstFew } from './first-few.ts'
import { isDense, makeJoinHits } from './join-hits.ts'
import { blockWords, countBefore, denseRows, kindAt } from './packed-hits.ts'
import { findLeastNamed, makeIsNamed, type RankedTerm, toRelevance } from './ranked-term.ts'

export interface Best {
  /** How many documents have every term. */
  readonly total: number
  /** The rows of the best documents, in the order of the results. */
  readonly rows: readonly number[]
}

interface Asked {
  /** The terms, rarest first; their relevances are added up in this order. */
  readonly terms: readonly RankedTerm[]
  readonly few: FirstFew
  /** A bit for each row that may be a result. */
  readonly wanted: Int32Array | undefined
  readonly lengthNorms: Float64Array
  readonly leastNorm: number
}

/** Makes the function that finds the documents which have all terms and, if `wanted` is given, a bit in it. */
export function makeFindBest(lengthNorms: Float64Array) {
  const joinHits = makeJoinHits(Math.ceil(lengthNorms.length / denseRows))
  const leastNorm = lengthNorms.reduce((least, norm) => Math.min(least, norm), Number.POSITIVE_INFINITY)
  return (given: readonly RankedTerm[], limit: number, wanted?: Int32Array): Best => {
    if (given.length === 0) return { total: 0, rows: [] }
    const few = makeFirstFew(limit)
    const terms = given.toSorted((one, other) => one.hits.documents - other.hits.documents)
    const asked = { terms, few, wanted, lengthNorms, leastNorm }
    const total = terms.every(({ hits }) => isDense(hits)) ? findInBits(asked) : findInLists(asked, joinHits)
    return { total, rows: few.rows() }
  }
}

function findInLists({ terms, few, wanted, lengthNorms }: Asked, joinHits: ReturnType<typeof makeJoinHits>): number {
  const { size, rows, places } = joinHits(terms.map(({ hits }) => hits))
  const rank = makeRank(terms, lengthNorms, few)
  let total = 0
  for (let at = size - 1; at >= 0; at--) {
    const row = rows[at] ?? 0
    if (wanted && ((wanted[row >>> 5] ?? 0) & (1 << (row & 31))) === 0) continue
    total += 1
    rank(row, places, at)
  }
  return total
}

/**
 * If all terms have bits, 32 documents are checked in one step. Once enough good results are known, most documents are
 * skipped because no term is in their title or excerpt, and most blocks because their best kinds are not good enough.
 */
function findInBits({ terms, few, wanted, lengthNorms, leastNorm }: Asked): number {
  const isNamed = makeIsNamed(terms)
  const rank = makeRank(terms, lengthNorms, few)
  const allBits = terms.map(({ hits }) => hits.bits)
  const places = terms.map(() => new Uint32Array(1))
  const before = new Uint32Array(terms.length)
  let leastNamed = 0
  let mayHaveFirst = true
  let total = 0
  for (let word = Math.min(...allBits.map(({ length }) => length)) - 1; word >= 0; word--) {
    let common = wanted ? (wanted[word] ?? 0) : -1
    for (let number = 0; number < allBits.length; number++) common &= allBits[number]?.[word] ?? 0
    total += countBits(common)
    if (word % blockWords === blockWords - 1)
      mayHaveFirst = mayBeAmong(few, terms, (word + 1) / blockWords - 1, leastNorm)
    if (!mayHaveFirst) continue
    if (leastNamed > 0) common &= isNamed(word, leastNamed)
    if (common === 0) continue
    for (let number = 0; number < terms.length; number++) {
      const term = terms[number]
      if (term) before[number] = countBefore(term.hits, word)
    }
    while (common !== 0) {
      const bit = highestBit(common)
      common &= ~(1 << bit)
      for (let number = 0; number < terms.length; number++) {
        const own = allBits[number]?.[word] ?? 0
        const place = places[number]
        if (place) place[0] = (before[number] ?? 0) + countBits(own & ((1 << bit) - 1))
      }
      if (rank(word * 32 + bit, places, 0)) leastNamed = findLeastNamed(few.leastScore(), terms.length)
    }
  }
  return total
}

/** Whether a document with the best kind of every term in a block would be among the best results. */
function mayBeAmong(few: FirstFew, terms: readonly RankedTerm[], block: number, leastNorm: number): boolean {
  let score = 0
  let relevance = 0
  for (let number = 0; number < terms.length; number++) {
    const term = terms[number]
    const best = term?.hits.best[block] ?? 0
    score += term?.scores[best] ?? 0
    if (term) relevance += toRelevance(term, best, leastNorm)
  }
  return few.isWorth(score, relevance)
}

/**
 * Makes the function that adds a document to the best ones if it is good enough, given its position in the list of each
 * term. Relevance is computed last because it is expensive and most documents fail by their score.
 */
function makeRank(terms: readonly RankedTerm[], lengthNorms: Float64Array, few: FirstFew) {
  const kinds = new Uint32Array(terms.length)
  let leastScore = 0
  return (row: number, places: readonly Uint32Array[], at: number): boolean => {
    let score = 0
    for (let number = 0; number < terms.length; number++) {
      const term = terms[number]
      if (!term) continue
      const kind = kindAt(term.hits, places[number]?.[at] ?? 0)
      kinds[number] = kind
      score += term.scores[kind] ?? 0
    }
    if (score < leastScore) return false
    const lengthNorm = lengthNorms[row] ?? 0
    let relevance = 0
    for (let number = 0; number < terms.length; number++) {
      const term = terms[number]
      if (term) relevance += toRelevance(term, kinds[number] ?? 0, lengthNorm)
    }
    const isFirst = few.add(row, score, relevance)
    if (isFirst) leastScore = few.leastScore()
    return isFirst
  }
}
