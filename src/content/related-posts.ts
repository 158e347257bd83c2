/** What of a post is compared. */
interface Compared {
  readonly id: string
  readonly tags: readonly string[]
  readonly language: string
  /** Each counts as often as it stands there, so what says more may be repeated. */
  readonly text: string
}

/** How much the rarest of its words a post is known by. */
const knownBy = 40
/** Below this two posts share little more than their language. */
const least = 0.12

type Weights = ReadonlyMap<string, number>

/**
 * For each post the others in its language that are most like it, the most alike first, by rare tags and words that they
 * share. It follows from the posts alone: the same posts are related in every build.
 *
 * @param newestFirst newer posts come first among equals
 * @param most how many are found for one
 */
export function findRelated(newestFirst: readonly Compared[], most: number): ReadonlyMap<string, readonly string[]> {
  const tags = weigh(newestFirst.map(({ tags }) => countOf(tags)))
  const words = weigh(newestFirst.map(({ text }) => countOf(wordsOf(text))))
  const compared = [tags, words].map((weights) => ({ weights, shelves: shelve(weights) }))
  // Of one post at a time: where many share a tag, the likenesses of all pairs would fill the memory.
  const scores = new Float64Array(newestFirst.length)
  const findFor = (place: number): number[] => {
    const alike: number[] = []
    for (const { weights, shelves } of compared)
      for (const [term, its] of weights[place] ?? [])
        for (const [other, theirs] of shelves.get(term) ?? []) {
          if (other === place || newestFirst[other]?.language !== newestFirst[place]?.language) continue
          const score = scores[other] ?? 0
          if (score === 0) alike.push(other)
          scores[other] = score + its * theirs
        }
    const found = alike.map((other) => [other, scores[other] ?? 0] as const).filter(([, score]) => score >= least)
    for (const other of alike) scores[other] = 0
    return found
      .toSorted(([a, scoreOfA], [b, scoreOfB]) => scoreOfB - scoreOfA || a - b)
      .slice(0, most)
      .map(([other]) => other)
  }
  return new Map(
    newestFirst.map(({ id }, place) => [id, findFor(place).flatMap((other) => newestFirst[other]?.id ?? [])]),
  )
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]{3,}/gu) ?? []

function countOf(terms: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

/** The weights of what each is known by, together of length one: frequent in it, rare in all. */
function weigh(counts: readonly Weights[]): Weights[] {
  const holders = countOf(counts.flatMap((each) => [...each.keys()]))
  return counts.map((each) => {
    const weights = [...each]
      .map(
        ([term, count]) => [term, (1 + Math.log(count)) * Math.log(counts.length / (holders.get(term) ?? 1))] as const,
      )
      .filter(([, weight]) => weight > 0)
      .toSorted(([a, weightOfA], [b, weightOfB]) => weightOfB - weightOfA || (a < b ? -1 : 1))
      .slice(0, knownBy)
    const length = Math.hypot(...weights.map(([, weight]) => weight))
    return new Map(weights.map(([term, weight]) => [term, weight / length]))
  })
}

/** Who has each term, with its weight there. */
function shelve(weights: readonly Weights[]): Map<string, (readonly [place: number, weight: number])[]> {
  const shelves = new Map<string, (readonly [number, number])[]>()
  for (const [place, each] of weights.entries())
    for (const [term, weight] of each) {
      const shelf = shelves.get(term) ?? []
      shelves.set(term, shelf)
      shelf.push([place, weight])
    }
  return shelves
}
