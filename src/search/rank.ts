import { findLeastScore, makeFirstFew } from './first-few.ts'
import { makeJoinHits } from './join-hits.ts'
import { kindAt } from './packed-hits.ts'
import { highestScore, type RankedTerm, toRelevance } from './ranked-term.ts'
import { readBackwards } from './read-backwards.ts'

export interface Best {
  /** How many documents have every term. */
  readonly total: number
  /** Of the first few, in the order of the results. */
  readonly rows: readonly number[]
}

/**
 * Makes the function that finds the documents which have all terms and are wanted. Relevance is the dear part, and
 * most documents are out by their score.
 */
export function makeFindBest(lengthNorms: Float64Array) {
  const joinHits = makeJoinHits(lengthNorms.length)
  const scores = new Uint16Array(lengthNorms.length)
  const leastNorm = lengthNorms.reduce((least, norm) => Math.min(least, norm), Number.POSITIVE_INFINITY)

  function findOfAll(terms: readonly RankedTerm[], limit: number, isWanted: IsWanted | undefined): Best {
    const inOrder = terms.toSorted((one, other) => one.hits.documents - other.hits.documents)
    const { size, rows, places } = joinHits(inOrder.map(({ hits }) => hits))
    scores.fill(0, 0, size)
    for (const [number, term] of inOrder.entries()) addScores(term, places[number] ?? rows, size)
    let total = size
    if (isWanted)
      for (let at = 0; at < size; at++) {
        if (isWanted(rows[at] ?? 0)) continue
        // No document that is found has a score of nothing.
        scores[at] = 0
        total -= 1
      }
    const having = new Uint32Array(highestScore * terms.length + 1)
    for (let at = 0; at < size; at++) having[scores[at] ?? 0] = (having[scores[at] ?? 0] ?? 0) + 1
    having[0] = 0
    const least = Math.max(1, findLeastScore(having, limit))
    const { few, add } = makeFirstFew(limit)
    for (let at = size - 1; at >= 0; at--) {
      const score = scores[at] ?? 0
      if (score < least) continue
      const row = rows[at] ?? 0
      let relevance = 0
      for (const [number, term] of inOrder.entries())
        relevance += toRelevance(term, kindAt(term.hits, places[number]?.[at] ?? 0), lengthNorms[row] ?? 0)
      add({ row, score, relevance })
    }
    return { total, rows: few.map(({ row }) => row) }
  }

  function addScores({ hits, scores: ofKinds }: RankedTerm, places: Uint32Array, size: number): void {
    for (let at = 0; at < size; at++) scores[at] = (scores[at] ?? 0) + (ofKinds[kindAt(hits, places[at] ?? 0)] ?? 0)
  }

  /** Of one term, whose kinds say which documents may be among the first without looking at one. */
  function findOfOne(term: RankedTerm, limit: number): Best {
    const { hits, scores: ofKinds } = term
    const having = new Uint32Array(highestScore + 1)
    for (const [kind, score] of ofKinds.entries()) having[score] = (having[score] ?? 0) + (hits.frequencies[kind] ?? 0)
    const least = findLeastScore(having, limit)
    const mayBeFirst = Uint8Array.from(ofKinds, (score) => (score >= least ? 1 : 0))
    const { few, add } = makeFirstFew(limit)
    readBackwards(hits, mayBeFirst, (row, kind) => {
      const isFirst = add({
        row,
        score: ofKinds[kind] ?? 0,
        relevance: toRelevance(term, kind, lengthNorms[row] ?? 0),
      })
      const last = isFirst ? few[limit - 1] : undefined
      if (!last) return
      for (const [kind, score] of ofKinds.entries())
        if (score < last.score || (score === last.score && toRelevance(term, kind, leastNorm) <= last.relevance))
          mayBeFirst[kind] = 0
    })
    return { total: hits.documents, rows: few.map(({ row }) => row) }
  }

  return (terms: readonly RankedTerm[], limit: number, isWanted?: IsWanted): Best => {
    const [only] = terms
    if (!only) return { total: 0, rows: [] }
    const isLarge = only.hits.bits.length > 0
    return terms.length === 1 && isLarge && !isWanted ? findOfOne(only, limit) : findOfAll(terms, limit, isWanted)
  }
}

type IsWanted = (row: number) => boolean
