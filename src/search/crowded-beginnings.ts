/** So many lists are looked up at once, when they are short. */
export const fewWords = 16
/** So many hits are merged in a part of a millisecond. */
const fewHits = 1000

/**
 * Whether the words that begin with a prefix have their merged hits in the index, so that nothing is slow to look up:
 * they are many, or in many documents.
 *
 * @param words all of them, or `fewWords` and one more
 */
export const isCrowd = (words: readonly { documents: number }[]): boolean =>
  words.length > fewWords || (words.length > 1 && words.reduce((sum, { documents }) => sum + documents, 0) > fewHits)

/** All that a word begins with, itself included. */
export function* toBeginnings(word: string): Generator<string> {
  let prefix = ''
  for (const character of word) {
    prefix += character
    yield prefix
  }
}
