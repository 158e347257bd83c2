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
  const languages = newestFirst.map(({ language }) => language)
  const compared = [tags, words].map((weights) => ({ weights, shelves: shelve(weights, languages) }))
  // Of one post at a time: where many share a tag, the likenesses of all pairs would fill the memory.
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

/** The places with the highest scores, the first among equals; in a loop, because a large site has many pairs of posts. */
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

/** Who has a term, and with which weight there. */
interface Shelf {
  readonly places: readonly number[]
  readonly theirs: readonly number[]
}

const noShelf: Shelf = { places: [], theirs: [] }

const toShelf = (language = '', term: string): string => `${language} ${term}`

/** The shelves of all terms, each for one language. */
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
