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

/**
 * For each post, the most similar posts in its language, the most similar first, by the rare tags and words that they
 * share (TF-IDF weights, cosine similarity). It depends on the posts alone, so every build gives the same result.
 *
 * @param newestFirst the posts; of two equally similar ones the first in this list wins
 * @param most how many related posts each post gets at most
 */
export function findRelated(newestFirst: readonly Compared[], most: number): ReadonlyMap<string, readonly string[]> {
  const languages = newestFirst.map(({ language }) => language)
  const kinds = [({ tags }: Compared) => tags, ({ text }: Compared) => wordsOf(text)]
  const compared = kinds.map((termsOf) => {
    const vectors = weigh(countTerms(newestFirst, termsOf))
    return { vectors, shelves: shelve(vectors, languages) }
  })
  // Scores are kept for one post at a time: where many share a tag, those of all pairs would fill the memory.
  const scores = new Float64Array(newestFirst.length)
  const alike = new Int32Array(newestFirst.length)
  const findFor = (language: string, place: number): number[] => {
    let count = 0
    for (const { vectors, shelves } of compared) {
      const { terms, weights } = vectors[place] ?? noVector
      const ofLanguage = shelves.get(language)
      for (let at = 0; at < terms.length; at++) {
        const its = weights[at] ?? 0
        const { places, theirs } = ofLanguage?.get(terms[at] ?? 0) ?? noShelf
        for (let one = 0; one < places.length; one++) {
          const other = places[one] ?? 0
          const score = scores[other] ?? 0
          if (score === 0) alike[count++] = other
          scores[other] = score + its * (theirs[one] ?? 0)
        }
      }
    }
    const found = alike.subarray(0, count)
    const best = findBest(found, scores, { except: place, most })
    for (const other of found) scores[other] = 0
    return best
  }
  return new Map(
    newestFirst.map(({ id, language }, place) => [
      id,
      findFor(language, place).flatMap((other) => newestFirst[other]?.id ?? []),
    ]),
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

/** How often each term occurs in each post. Terms are numbered, because numbers take less time than texts. */
interface Counted {
  /** The term of each number. */
  readonly terms: readonly string[]
  /** In how many posts the term of each number occurs. */
  readonly holders: readonly number[]
  /** For each post, the numbers of its terms, and how often each of these occurs in it. */
  readonly posts: readonly { readonly numbers: readonly number[]; readonly counts: readonly number[] }[]
}

/** @param termsOf the terms of a post, called for one post after the other: the words of all would fill the memory */
function countTerms(posts: readonly Compared[], termsOf: (post: Compared) => readonly string[]): Counted {
  const numbers = new Map<string, number>()
  const terms: string[] = []
  const holders: number[] = []
  /** How often each term occurs in the post that is being counted. */
  const occurring: number[] = []
  const count = (post: Compared) => {
    const found: number[] = []
    for (const term of termsOf(post)) {
      const number = numbers.get(term) ?? terms.length
      if (number === terms.length) {
        numbers.set(term, number)
        terms.push(term)
        holders.push(0)
        occurring.push(0)
      }
      const before = occurring[number] ?? 0
      if (before === 0) found.push(number)
      occurring[number] = before + 1
    }
    const counts = found.map((number) => occurring[number] ?? 0)
    for (const number of found) {
      holders[number] = (holders[number] ?? 0) + 1
      occurring[number] = 0
    }
    return { numbers: found, counts }
  }
  return { posts: posts.map(count), terms, holders }
}

/** The terms of a post with the highest TF-IDF weights, the highest first, and these weights: a vector of length one. */
interface Vector {
  readonly terms: Int32Array
  readonly weights: Float64Array
}

const noVector: Vector = { terms: new Int32Array(), weights: new Float64Array() }

function weigh({ posts, terms, holders }: Counted): Vector[] {
  const rarities = Float64Array.from(holders, (count) => Math.log(posts.length / count))
  /** The weights of terms in one post, by their numbers. */
  const weightOf = new Float64Array(terms.length)
  const isBefore = (a: number, b: number): number =>
    (weightOf[b] ?? 0) - (weightOf[a] ?? 0) || ((terms[a] ?? '') < (terms[b] ?? '') ? -1 : 1)
  return posts.map(({ numbers, counts }) => {
    const weights = new Float64Array(numbers.length)
    for (let at = 0; at < numbers.length; at++) {
      const number = numbers[at] ?? 0
      const weight = (1 + Math.log(counts[at] ?? 1)) * (rarities[number] ?? 0)
      weights[at] = weight
      weightOf[number] = weight
    }
    // Few are left to be sorted by both weight and text, which takes most of the time where all are.
    const lowest = weights.sort().at(-knownBy) ?? 0
    const known = numbers.filter((number) => {
      const weight = weightOf[number] ?? 0
      return weight > 0 && weight >= lowest
    })
    const best = Int32Array.from(known.sort(isBefore).slice(0, knownBy))
    const itsWeights = Float64Array.from(best, (number) => weightOf[number] ?? 0)
    const length = Math.hypot(...itsWeights)
    return { terms: best, weights: itsWeights.map((weight) => weight / length) }
  })
}

/** The posts that have a term, and the term's weight in each. */
interface Shelf {
  readonly places: readonly number[]
  readonly theirs: readonly number[]
}

const noShelf: Shelf = { places: [], theirs: [] }

/** The shelves of a language, by the numbers of terms. */
type Shelves = ReadonlyMap<number, Shelf>

/** An inverted index: for each language and term, the posts that have the term. */
function shelve(vectors: readonly Vector[], languages: readonly string[]): ReadonlyMap<string, Shelves> {
  const shelves = new Map<string, Map<number, { places: number[]; theirs: number[] }>>()
  for (const [place, { terms, weights }] of vectors.entries()) {
    const language = languages[place] ?? ''
    const ofLanguage = shelves.get(language) ?? new Map<number, { places: number[]; theirs: number[] }>()
    shelves.set(language, ofLanguage)
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at] ?? 0
      const shelf = ofLanguage.get(term) ?? { places: [], theirs: [] }
      ofLanguage.set(term, shelf)
      shelf.places.push(place)
      shelf.theirs.push(weights[at] ?? 0)
    }
  }
  return shelves
}
