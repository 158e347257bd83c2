/** The number of short lists that can be looked up fast. */
export const fewWords = 16
/** The number of hits that are merged in less than a millisecond. */
const fewHits = 1000

/**
 * Whether the index stores the merged hits of all words with a prefix, because merging them at query time would be
 * slow: there are many such words, or they are in many documents.
 *
 * @param words all such words, or the first `fewWords + 1` of them
 */
export const isCrowd = (words: readonly { documents: number }[]): boolean =>
  words.length > fewWords || (words.length > 1 && words.reduce((sum, { documents }) => sum + documents, 0) > fewHits)

/** All prefixes of a word, including the word itself. */
export function* toBeginnings(word: string): Generator<string> {
  let prefix = ''
  for (const character of word) {
    prefix += character
    yield prefix
  }
}
