import { countBits } from './bits.ts'
import { kindAt, type OpenHits } from './packed-hits.ts'

/**
 * Reads the documents of some kinds, the highest row first, of a list with a bit for each row.
 *
 * @param isRead of each kind, whether it is read; may change with every document
 */
export function readBackwards(hits: OpenHits, isRead: Uint8Array, read: (row: number, kind: number) => void): void {
  const { bits, documents } = hits
  let word = bits.length
  // How many documents are in the words below, and those of this word up to the one at the place.
  let below = documents
  let rest = 0
  let left = 0
  for (let place = documents - 1; place >= 0; place--) {
    const kind = kindAt(hits, place)
    if (isRead[kind] !== 1) continue
    while (place < below) {
      word -= 1
      rest = bits[word] ?? 0
      left = countBits(rest)
      below -= left
    }
    for (; left > place - below + 1; left--) rest &= ~(0x8000_0000 >>> Math.clz32(rest))
    read(word * 32 + 31 - Math.clz32(rest), kind)
  }
}
