/** What results are in order of: score, then relevance, then the higher row, which is newer. */
export interface Rank {
  readonly row: number
  readonly score: number
  readonly relevance: number
}

const isBetter = (one: Rank, other: Rank): boolean =>
  one.score > other.score || (one.score === other.score && one.relevance > other.relevance)

/** Keeps the first few of documents that come in descending order of their rows. */
export function makeFirstFew(limit: number) {
  const few: Rank[] = []
  return {
    few,
    /** Whether it is among them so far. */
    add(one: Rank): boolean {
      const last = few[limit - 1]
      if (last !== undefined && !isBetter(one, last)) return false
      let at = Math.min(few.length, limit - 1)
      for (let above = few[at - 1]; above !== undefined && isBetter(one, above); above = few[at - 1]) at -= 1
      few.splice(at, 0, one)
      few.length = Math.min(few.length, limit)
      return true
    },
  }
}

/**
 * The score below which no document is among the first few.
 *
 * @param having how many documents have each score
 */
export function findLeastScore(having: ArrayLike<number>, limit: number): number {
  let least = having.length - 1
  for (let above = having[least] ?? 0; above < limit && least > 0; above += having[least] ?? 0) least -= 1
  return least
}
