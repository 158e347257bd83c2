/** The fields of a post that are compared. */
interface Compared {
  readonly id: string
  readonly tags: readonly string[]
  readonly language: string
  /** A word counts as often as it occurs, so more important parts may be repeated. */
  readonly text: string
}

/** How many words, those with the highest weights, a post is compared by. */
const knownBy = 40
/** The lowest score of related posts; below it two posts share little more than their language. */
const least = 0.12

type Weights = ReadonlyMap<string, number>

/**
 * For each post, the most similar posts in its language, the most similar first, by the rare tags and words that they
 * share (TF-IDF weights, cosine similarity). It depends on the posts alone, so every build gives the same result.
 *
 * @param newestFirst the posts; of two equally similar ones the first in this list wins
 * @param most how many related posts each post gets at most
 */
export function findRelated(newestFirst: readonly Compared[], most: number): ReadonlyMap<string, readonly string[]> {
  const tags = weigh(newestFirst.map(({ tags }) => countOf(tags)))
  const words = weigh(newestFirst.map(({ text }) => countOf(wordsOf(text))))
  const languages = newestFirst.map(({ language }) => language)
  const compared = [tags, words].map((weights) => ({ weights, shelves: shelve(weights, languages) }))
  // Scores are kept for one post at a time: where many share a tag, those of all pairs would fill the memory.
  const scores = new Float64Array(newestFirst.length)
  const alike = new Int32Array(newestFirst.length)
  const findFor = (place: number): number[] => {
    let count = 0
    for (const { weights, shelves } of compared)
      for (const [term, its] of weights[place] ?? []) {
        const { places, theirs } = shelves.get(toShelf(languages[place], term)) ?? noShelf
        for (let at = 0; at < places.length; at++) {
          const other = places[at] ?? 0
          const score = scores[other] ?? 0
          if (score === 0) alike[count++] = other
          scores[other] = score + its * (theirs[at] ?? 0)
        }
      }
    const found = alike.subarray(0, count)
    const best = findBest(found, scores, { except: place, most })
    for (const other of found) scores[other] = 0
    return best
  }
  return new Map(
    newestFirst.map(({ id }, place) => [id, findFor(place).flatMap((other) => newestFirst[other]?.id ?? [])]),
  )
}

/** The places with the highest scores, sorted. A loop without a full sort, because a large site has many pairs. */
function findBest(
  places: Int32Array,
  scores: Float64Array,
  { except, most }: { readonly except: number; readonly most: number },
): number[] {
  const best: number[] = []
  for (const place of places) {
    const score = scores[place] ?? 0
    if (score < least || place === except) continue
    const isBehind = (other = place) => {
      const its = scores[other] ?? 0
      return its < score || (its === score && other > place)
    }
    if (best.length === most && !isBehind(best.at(-1))) continue
    const at = best.findIndex(isBehind)
    best.splice(at < 0 ? best.length : at, 0, place)
    if (best.length > most) best.pop()
  }
  return best
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]{3,}/gu) ?? []

function countOf(terms: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

/** For each post, the highest TF-IDF weights of its terms, as a vector of length one. */
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

/** The posts that have a term, and the term's weight in each. */
interface Shelf {
  readonly places: readonly number[]
  readonly theirs: readonly number[]
}

const noShelf: Shelf = { places: [], theirs: [] }

const toShelf = (language = '', term: string): string => `${language} ${term}`

/** An inverted index: for each language and term, the posts that have the term. */
function shelve(weights: readonly Weights[], languages: readonly string[]): Map<string, Shelf> {
  const shelves = new Map<string, { places: number[]; theirs: number[] }>()
  for (const [place, each] of weights.entries())
    for (const [term, weight] of each) {
      const name = toShelf(languages[place], term)
      const shelf = shelves.get(name) ?? { places: [], theirs: [] }
      shelves.set(name, shelf)
      shelf.places.push(place)
      shelf.theirs.push(weight)
    }
  return shelves
}
