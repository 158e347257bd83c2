/** A prefix that more words than this begin with has its merged hits in the index: nothing is slow to look up. */
export const crowd = 16

/** All that a word begins with, itself included. */
export function* toBeginnings(word: string): Generator<string> {
  let prefix = ''
  for (const character of word) {
    prefix += character
    yield prefix
  }
}
