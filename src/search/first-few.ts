interface Rank {
  readonly row: number
  readonly score: number
  readonly relevance: number
}

/** The best of the documents that were added. */
export interface FirstFew {
  /** The score that a document must have at least to be among them. */
  leastScore: () => number
  /** Whether a document with these would be one of them. */
  isWorth: (score: number, relevance: number) => boolean
  /** Adds a document; they have to come in descending order of rows. Returns whether it is among the best so far. */
  add: (row: number, score: number, relevance: number) => boolean
  /** The rows in the order of the results: by score, then relevance, then the higher row, which is newer. */
  rows: () => number[]
}

/** Keeps the best `limit` of many documents. */
export function makeFirstFew(limit: number): FirstFew {
  const few: Rank[] = []
  const isBelow = (rank: Rank | undefined, score: number, relevance: number): boolean =>
    rank !== undefined && (rank.score < score || (rank.score === score && rank.relevance < relevance))
  const isWorth = (score: number, relevance: number): boolean =>
    few.length < limit || isBelow(few[limit - 1], score, relevance)
  return {
    isWorth,
    leastScore: () => few[limit - 1]?.score ?? 0,
    add(row, score, relevance) {
      if (!isWorth(score, relevance)) return false
      let at = Math.min(few.length, limit - 1)
      while (isBelow(few[at - 1], score, relevance)) at -= 1
      few.splice(at, 0, { row, score, relevance })
      few.length = Math.min(few.length, limit)
      return true
    },
    rows: () => few.map(({ row }) => row),
  }
}
