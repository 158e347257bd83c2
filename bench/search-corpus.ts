import type { SearchDocument } from '../src/search/search-document.ts'

const vocabulary = 20_000
const wordsPerPost = 500

/** Mulberry32: the same numbers in every process. */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const letters = 'etaoinshrdlucmfwypvbgk'

/**
 * One word per number; frequent words are short. Letters are drawn one by one, so that about as few words are prefixes
 * of others as in a real language: words made from a few syllables would share many prefixes, which would penalize
 * engines that scan all words with a prefix.
 */
const words = Array.from({ length: vocabulary }, (_, number) => {
  const random = makeRandom(number)
  const length = 2 + Math.floor(Math.log2(number + 2) / 2) + Math.floor(random() * 3)
  return Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('')
})
const toWord = (number: number): string => words[number] ?? ''

/** A word by Zipf's law: the n-th most frequent stands in a text 1/n times as often as the first. */
const chooseWord = (random: () => number): string => toWord(Math.floor(vocabulary ** random()) - 1)

/** Generated posts; every call returns the same ones. */
export function makePosts(count: number): SearchDocument[] {
  const random = makeRandom(402)
  const text = (words: number) => Array.from({ length: words }, () => chooseWord(random)).join(' ')
  return Array.from({ length: count }, (_, number) => ({
    collection: 'posts',
    slug: `post-${number}`,
    url: `/posts/post-${number}`,
    title: text(6),
    excerpt: text(20),
    body: text(wordsPerPost),
    publishedAt: new Date(Date.UTC(2020, 0, 1) + number * 3_600_000).toISOString(),
    language: 'en',
  }))
}

/** Plausible queries: one to three words that occur together in a post, from frequent to rare, some unfinished. */
export function makeQueries(posts: readonly SearchDocument[], count: number): string[] {
  const random = makeRandom(8453)
  return Array.from({ length: count }, (_, number) => {
    if (random() < 0.2) return toWord(Math.floor(random() * 30))
    const source = posts[Math.floor(random() * posts.length)]?.body.split(' ') ?? []
    const start = Math.floor(random() * (source.length - 3))
    const query = source.slice(start, start + 1 + (number % 3)).join(' ')
    return number % 4 === 0 && query.length > 5 ? query.slice(0, -2) : query
  })
}
